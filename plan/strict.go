package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// decodeStrict reads one JSON document and nothing behind it; unknown fields are errors.
func decodeStrict(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("want one document, found more behind it")
	}
	return nil
}
