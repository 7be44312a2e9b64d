"""The wheel, used as installed: without our sources, without a toolkit, without an environment.

    wheel_test.py SITE
"""

import ctypes.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

site = Path(sys.argv.pop(1)).resolve()
here = Path(__file__).resolve().parent

transpose = """
#ifndef TILE
#define TILE 16
#endif
__global__ void transpose(const float* in, float* out, int n) {
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = in[y * n + x];
}
"""


class WheelTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        home = {name: self.folder.name for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
        self.environment = {"PATH": f"{site}/bin:/usr/bin:/bin:{Path(sys.executable).parent}", "PYTHONPATH": str(site)} | home

    def run_installed(self, *words, status=0):
        done = subprocess.run(words, capture_output=True, text=True, cwd=self.folder.name, env=self.environment)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def test_doctor_finds_the_compiler_that_pip_installed(self):
        for program in ("rooftile-cli", "rooftile"):
            said = self.run_installed(program, "doctor", status=0 if os.path.exists("/dev/nvidiactl") else 1)
            self.assertIn(f"{site}/nvidia/cu13/lib/libnvrtc.so.13", said)

    def test_a_source_of_ones_own_is_compiled_and_predicted(self):
        (Path(self.folder.name) / "mine.cu").write_text(transpose)
        said = self.run_installed("rooftile-cli", "predict", "mine.cu", "TILE=8,16", "--gpu", "RTX 4090", "--all")
        self.assertIn("2 by the compiled code, with registers compiled here", said)

    def test_kernels_that_include_the_toolkits_headers_compile(self):
        said = self.run_installed("rooftile-cli", "predict", "gemm_bf16_mma", "--gpu", "RTX 4090", "N=1024")
        self.assertIn("predicted", said)

    def test_the_recorded_launches_are_drawn(self):
        self.run_installed("rooftile-cli", "report", "-o", "drawn")
        self.assertTrue((Path(self.folder.name) / "drawn/roofline.svg").read_text().startswith("<svg"))

    def test_any_linux_since_glibc_2_28_takes_it(self):
        said = next(site.glob("rooftile-*.dist-info/WHEEL")).read_text()
        self.assertIn("Tag: py3-none-manylinux_2_28_x86_64", said)

    def test_the_cpp_runtime_and_libraries_of_others_are_not_loaded(self):
        for name in ("libstdc++.so.6", "libgcc_s.so.1", "libfmt.so.9", "libre2.so.9", "libglfw.so.3"):
            (Path(self.folder.name) / name).write_text("of another age")
        self.environment["LD_LIBRARY_PATH"] = self.folder.name
        for program in ("rooftile-cli", "rooftile-worker", "rooftile"):
            if program != "rooftile" or ctypes.util.find_library("X11"):
                self.run_installed(program, "--help")

    def test_the_injected_library_is_there(self):
        self.assertTrue(list(site.glob("rooftile/lib/rooftile/librooftile-inject.so")))

    def test_the_notebook_runs(self):
        execute = ("import nbformat, nbclient, sys; book = nbformat.read(sys.argv[1], 4); "
                   "nbclient.NotebookClient(book, timeout=300).execute(); nbformat.write(book, 'executed.ipynb'); "
                   "print(sum('image/svg' in str(cell.get('outputs')) for cell in book.cells))")
        drawn = self.run_installed(sys.executable, "-c", execute, str(here / "a_tile_and_its_roofline.ipynb"))
        self.assertGreaterEqual(int(drawn), 1)


if __name__ == "__main__":
    unittest.main()
