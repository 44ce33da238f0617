// Runs a method of a .pte on ExecuTorch's own runtime, with EthosUBackend on top of libethosu:
//   executorch PTE OUTPUT INPUT...
// Inputs are files with the bytes of a tensor each; all outputs are written to OUTPUT one behind the other.
// Built by executorch.sh.
#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/extension/data_loader/mmap_data_loader.h>
#include <executorch/extension/memory_allocator/malloc_memory_allocator.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

using namespace executorch::runtime;
using executorch::aten::TensorImpl;
using executorch::extension::MallocMemoryAllocator;
using executorch::extension::MmapDataLoader;

template <typename T> static T take(Result<T> r, const char* what) {
  if (!r.ok()) {
    fprintf(stderr, "%s: error 0x%x\n", what, unsigned(r.error()));
    exit(1);
  }
  return std::move(*r);
}

static void check(Error e, const char* what) {
  if (e != Error::Ok) {
    fprintf(stderr, "%s: error 0x%x\n", what, unsigned(e));
    exit(1);
  }
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  runtime_init();
  MmapDataLoader loader = take(MmapDataLoader::from(argv[1]), argv[1]);
  Program program = take(Program::load(&loader), "program");
  MethodMeta meta = take(program.method_meta("forward"), "method");

  std::vector<std::vector<uint8_t>> buffers;
  std::vector<Span<uint8_t>> spans;
  for (size_t i = 0; i < meta.num_memory_planned_buffers(); i++) {
    buffers.emplace_back(size_t(take(meta.memory_planned_buffer_size(i), "buffer")) + 16);
    size_t skip = -reinterpret_cast<uintptr_t>(buffers.back().data()) & 15;
    spans.push_back({buffers.back().data() + skip, buffers.back().size() - 16});
  }
  HierarchicalAllocator planned({spans.data(), spans.size()});
  MallocMemoryAllocator method_memory, temp_memory;
  MemoryManager memory(&method_memory, &planned, &temp_memory);
  // The backend wants a tracer wherever it is compiled with ET_EVENT_TRACER_ENABLED.
  executorch::etdump::ETDumpGen tracer;
  Method method = take(program.load_method("forward", &memory, &tracer), "load_method");

  std::vector<std::vector<char>> bytes;
  std::vector<std::unique_ptr<TensorImpl>> inputs;
  for (int i = 0; i + 3 < argc; i++) {
    std::ifstream f(argv[i + 3], std::ios::binary);
    bytes.emplace_back(std::istreambuf_iterator<char>(f), std::istreambuf_iterator<char>());
    auto own = method.get_input(i).toTensor();
    if (bytes.back().size() != own.nbytes()) return 3;
    inputs.push_back(std::make_unique<TensorImpl>(own.scalar_type(), own.dim(), const_cast<TensorImpl::SizesType*>(own.sizes().data()), bytes.back().data(),
        const_cast<TensorImpl::DimOrderType*>(own.dim_order().data()), const_cast<TensorImpl::StridesType*>(own.strides().data())));
    check(method.set_input(EValue(executorch::aten::Tensor(inputs.back().get())), i), "set_input");
  }
  check(method.execute(), "execute");
  std::ofstream out(argv[2], std::ios::binary);
  for (size_t i = 0; i < method.outputs_size(); i++) {
    auto t = method.get_output(i).toTensor();
    out.write(static_cast<const char*>(t.const_data_ptr()), std::streamsize(t.nbytes()));
  }
  return out.good() ? 0 : 4;
}
