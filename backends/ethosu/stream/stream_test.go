package stream_test

import (
	"testing"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/stretchr/testify/require"
)

func each(t *testing.T, c *corpus.Corpus, f func(name string, b *ethosu.Blob, s *stream.Stream)) {
	for _, p := range c.Programs {
		for _, payload := range c.Blobs(t, p) {
			b, err := ethosu.Parse(payload, c.Named(t, p))
			require.NoError(t, err, p.Name)
			s, err := stream.Decode(b.Commands.Accelerator, b.Commands.Stream)
			require.NoError(t, err, p.Name)
			f(p.Name, b, s)
		}
	}
}

// Decoded commands give back the words of the stream, have no reserved bits, names, and registers that were set.
func TestDecode(t *testing.T) {
	each(t, corpus.Committed(t), func(name string, b *ethosu.Blob, s *stream.Stream) {
		var words []byte
		for _, c := range s.Commands {
			require.Equal(t, len(words), c.Offset, name)
			words = c.Append(words)
			require.Zero(t, c.Reserved(s.Accelerator.Product), "%s: %s", name, c.Format(s.Accelerator.Product))
		}
		require.Equal(t, b.Commands.Stream[:len(words)], words, name)
		require.Equal(t, stream.Stop, s.Ops[len(s.Ops)-1].Kind, name)
		require.Empty(t, s.Unset, name)
	})
}

// What Vela emits waits where it must.
func TestHazards(t *testing.T) {
	each(t, corpus.Committed(t), func(name string, _ *ethosu.Blob, s *stream.Stream) {
		for _, h := range s.Hazards() {
			t.Errorf("%s: operation at byte %d: %s", name, s.Ops[h.Op].Offset, h)
		}
	})
}
