"""Runs pairs of programs in ExecuTorch and says whether they give the same bytes.

Usage: python equal_results.py DIR, where DIR holds N.a.pte and N.b.pte. Prints one line a pair: N same|differ|refused REASON.
Each pair runs in a process of its own, since ExecuTorch may abort.
"""
import os
import sys

import torch
from executorch.extension.pybindings import portable_lib as rt
import executorch.kernels.quantized  # noqa: F401  registers its kernels

TYPES = {0: torch.uint8, 1: torch.int8, 2: torch.int16, 3: torch.int32, 4: torch.int64, 5: torch.float16, 6: torch.float32,
         7: torch.float64, 11: torch.bool, 15: torch.bfloat16}


def tensor(info, seed):
    g = torch.Generator().manual_seed(seed)
    kind, sizes = TYPES[info.dtype()], list(info.sizes())
    if kind.is_floating_point:
        return torch.randn(sizes, generator=g).to(kind)
    return torch.randint(0, 2, sizes, generator=g).to(kind)


def outputs(path):
    program = open(path, "rb").read()  # the module reads it in place and does not keep it
    module = rt._load_for_executorch_from_buffer(program)
    out = []
    for name in sorted(module.method_names()):
        meta = module.method_meta(name)
        args = []
        for i in range(meta.num_inputs()):
            try:
                args.append(tensor(meta.input_tensor_meta(i), i))
            except RuntimeError:  # not a tensor
                args.append(1)
        for _ in range(2):  # state must carry over alike
            for o in module.run_method(name, tuple(args)):
                if isinstance(o, torch.Tensor):
                    o = (str(o.dtype), tuple(o.shape), o.contiguous().view(torch.uint8).numpy().tobytes() if o.numel() and o.dim() else o.tolist())
                out.append(repr(o))
    return out


def attempt(path):
    try:
        return outputs(path)
    except Exception as e:
        return type(e).__name__ + " " + str(e).replace("\n", " ")[:200]


def pair(stem):
    a, b = attempt(stem + ".a.pte"), attempt(stem + ".b.pte")
    if isinstance(a, str):
        return "refused " + a if a == b or not isinstance(b, str) else f"differ {a} / {b}"
    return "same" if a == b else f"differ {b if isinstance(b, str) else 'results'}"


def main():
    folder = sys.argv[1]
    devnull = os.open(os.devnull, os.O_WRONLY)
    for name in sorted(f[:-6] for f in os.listdir(folder) if f.endswith(".a.pte")):
        r, w = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(devnull, 1)
            os.dup2(devnull, 2)
            torch.set_num_threads(1)
            os.write(w, pair(os.path.join(folder, name)).encode())
            os._exit(0)
        os.close(w)
        said = os.read(r, 65536).decode()
        os.close(r)
        _, status = os.waitpid(child, 0)
        if not said:  # does the original survive alone?
            alone = os.fork()
            if alone == 0:
                os.dup2(devnull, 1)
                os.dup2(devnull, 2)
                attempt(os.path.join(folder, name + ".a.pte"))
                os._exit(0)
            _, first = os.waitpid(alone, 0)
            said = f"refused abort {status}" if first else f"differ abort {status}"
        print(name, said, flush=True)


main()
