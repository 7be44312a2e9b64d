"""Opens an NVTX range for each module and operator of PyTorch and each kernel of Triton, in programs under
`rooftile-cli profile --by-operator`. Python imports this file when it starts, for its folder stands in PYTHONPATH;
a sitecustomize of the user's, which it hides, is run as well."""

import atexit
import importlib.machinery
import importlib.util
import os
import sys
import threading

_here = os.path.dirname(os.path.abspath(__file__))


def _run_the_hidden_one():
    others = [folder for folder in sys.path if os.path.abspath(folder) != _here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec and spec.loader:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


class _AfterImport:
    """Calls back once a module of this name has been imported."""

    def __init__(self, name, then):
        self.name, self.then = name, then

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        run = spec.loader.exec_module

        def run_and_tell(module):
            run(module)
            self.then(module)

        spec.loader.exec_module = run_and_tell
        return spec


class _OpenModules(threading.local):
    """The modules that are running in this thread, and their names as their parents call them."""

    def __init__(self):
        self.running, self.names = [], {}

    def enter(self, module):
        if not self.running:
            self.names = {id(each): name for name, each in module.named_modules()}
        outer = self.names.get(self.running[-1], "") if self.running else ""
        name = self.names.get(id(module), "")
        self.running.append(id(module))
        return (name[len(outer) + 1 :] if outer and name.startswith(outer + ".") else name) or type(module).__name__

    def leaves(self, module):
        """Whether it was entered; then it is no more."""
        entered = bool(self.running) and self.running[-1] == id(module)
        return entered and self.running.pop() is not None


def _mark_torch(torch):
    nvtx, modules = torch.cuda.nvtx, _OpenModules()

    def enter(module, _):
        if not torch.compiler.is_compiling() and torch.cuda.is_initialized():
            nvtx.range_push(modules.enter(module))

    def leave(module, *_):
        if not torch.compiler.is_compiling() and modules.leaves(module):
            nvtx.range_pop()

    torch.nn.modules.module.register_module_forward_pre_hook(enter)
    torch.nn.modules.module.register_module_forward_hook(leave, always_call=True)
    # CUDA starts when the program wants it, not here: a process may be forked before.
    torch.cuda._lazy_call(lambda: _mark_operators(torch.autograd.profiler.emit_nvtx()))


def _mark_operators(operators):
    operators.__enter__()
    thread = threading.get_ident()

    def end():  # in the thread that began: they are marked there, and in the threads that it starts
        if thread == threading.get_ident():
            operators.__exit__(None, None, None)

    atexit.register(end)


def _constants_of(kernel):
    names, values = kernel.src.fn.arg_names, kernel.src.constants
    told = [f"{names[place[0]]}={value}" for place, value in sorted(values.items())
            if isinstance(value, (int, float, bool, str))]
    return f"{kernel.name}[{', '.join(told + [f'num_warps={kernel.metadata.num_warps}'])}]"


def _mark_triton(triton):
    """A kernel's range is open around its launch. Its name holds the constants that it was compiled with."""
    import torch

    kernel_class, hooks = triton.compiler.CompiledKernel, triton.knobs.runtime
    describe, names = kernel_class.launch_metadata, {}

    def launch_metadata(kernel, *arguments):
        if id(kernel) not in names:
            names[id(kernel)] = _constants_of(kernel)
        torch.cuda.nvtx.range_push(names[id(kernel)])
        return describe(kernel, *arguments)

    kernel_class.launch_metadata = launch_metadata
    hooks.launch_exit_hook.add(lambda _: torch.cuda.nvtx.range_pop())


def _cautiously(mark):
    """What another version lacks leaves the program without ranges, and otherwise as it is."""

    def attempt(module):
        try:
            mark(module)
        except Exception as error:
            print(f"rooftile: no ranges for {module.__name__}: {type(error).__name__}: {error}", file=sys.stderr)

    return attempt


sys.meta_path.insert(0, _AfterImport("torch", _cautiously(_mark_torch)))
sys.meta_path.insert(0, _AfterImport("triton", _cautiously(_mark_triton)))
_run_the_hidden_one()
