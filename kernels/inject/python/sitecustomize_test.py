#!/usr/bin/env python3
"""What sitecustomize.py makes of programs, with a PyTorch and a Triton of a few lines in their place."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent

# Their hooks and ranges as PyTorch and Triton have them, as far as sitecustomize.py uses them. Ranges are printed.
TORCH = """
import types
ranges = []
def push(name): ranges.append(name); print("/".join(ranges))
queued, state = [], {"started": False}
def start():
    state["started"] = True
    for call in queued: call()
cuda = types.SimpleNamespace(nvtx=types.SimpleNamespace(range_push=push, range_pop=lambda: ranges.pop()),
                             is_initialized=lambda: state["started"], _lazy_call=queued.append)
compiler = types.SimpleNamespace(is_compiling=lambda: False)
class Operators:
    def __enter__(self): print("operators")
    def __exit__(self, *_): print("operators end")
autograd = types.SimpleNamespace(profiler=types.SimpleNamespace(emit_nvtx=Operators))
before, after = [], []
class Module:
    def __init__(self, **children): self.children = children
    def named_modules(self, prefix=""):
        yield prefix, self
        for name, child in self.children.items():
            yield from child.named_modules(prefix + ("." if prefix else "") + name)
    def forward(self):
        for child in self.children.values(): child()
    def __call__(self):
        for hook in before: hook(self, ())
        try: self.forward()
        finally:
            for hook in after: hook(self, (), None)
class Linear(Module): pass
nn = types.SimpleNamespace(Linear=Linear, Module=Module, modules=types.SimpleNamespace(module=types.SimpleNamespace(
    register_module_forward_pre_hook=before.append,
    register_module_forward_hook=lambda hook, always_call: after.append(hook))))
"""

TRITON = """
import types
class Hooks(list):
    add = list.append
knobs = types.SimpleNamespace(runtime=types.SimpleNamespace(launch_exit_hook=Hooks()))
class CompiledKernel:
    name = "add_kernel"
    metadata = types.SimpleNamespace(num_warps=4)
    src = types.SimpleNamespace(constants={(2,): 1024, (3,): None}, fn=types.SimpleNamespace(arg_names=["x", "y", "BLOCK", "none"]))
    def launch_metadata(self, grid): return None
    def run(self, grid):
        self.launch_metadata(grid)
        for hook in knobs.runtime.launch_exit_hook: hook(None)
compiler = types.SimpleNamespace(CompiledKernel=CompiledKernel)
"""


class Sitecustomize(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def ran(self, program, **files):
        """The lines that the program printed, and its errors."""
        for name, text in files.items():
            (pathlib.Path(self.folder.name) / f"{name}.py").write_text(text)
        path = os.pathsep.join([str(HERE), self.folder.name])
        done = subprocess.run([sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines(), done.stderr

    def test_modules_have_their_names_within_their_parents(self):
        lines, _ = self.ran("import torch; torch.start(); M = torch.nn.Module; L = torch.nn.Linear\n"
                            "M(layers=M(first=L(), second=M(gate=L())))(); L()(); print(torch.ranges)", torch=TORCH)
        self.assertEqual(lines, ["operators", "Module", "Module/layers", "Module/layers/first", "Module/layers/second",
                                 "Module/layers/second/gate", "Linear", "[]", "operators end"])

    def test_a_module_that_throws_is_left(self):
        lines, _ = self.ran("import torch; torch.start()\n"
                            "class Bad(torch.nn.Module):\n  def forward(self): raise ValueError\n"
                            "try: Bad()()\nexcept ValueError: print('threw', torch.ranges)", torch=TORCH)
        self.assertEqual(lines, ["operators", "Bad", "threw []", "operators end"])

    def test_nothing_happens_before_cuda_starts(self):
        lines, _ = self.ran("import torch; torch.nn.Linear()(); print('ran')", torch=TORCH)
        self.assertEqual(lines, ["ran"])

    def test_a_kernel_of_triton_has_its_constants(self):
        lines, _ = self.ran("import torch, triton; triton.compiler.CompiledKernel().run(1); print(torch.ranges)", torch=TORCH, triton=TRITON)
        self.assertEqual(lines, ["add_kernel[BLOCK=1024, num_warps=4]", "[]"])

    def test_a_sitecustomize_of_the_users_runs_as_well(self):
        lines, _ = self.ran("print('program')", sitecustomize="print('mine')")
        self.assertEqual(lines, ["mine", "program"])

    def test_another_version_leaves_the_program_as_it_is(self):
        lines, errors = self.ran("import torch, triton; print(torch.answer)", torch="answer = 42", triton="")
        self.assertEqual(lines, ["42"])
        self.assertIn("rooftile: no ranges for torch: AttributeError", errors)


if __name__ == "__main__":
    unittest.main()
