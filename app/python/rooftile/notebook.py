"""%%rooftile: compiles and measures the CUDA of a cell, or predicts it where there is no GPU.

    %load_ext rooftile

    %%rooftile TILE=8,16,32 N=1024 --gpu "RTX 4090"
    __global__ void mine(...) { ... }

Dials and sizes are words of the first line. --gpu predicts for that GPU instead of measuring here; --name NAME keeps
the Launches in a variable.
"""

import shlex
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from IPython.core.magic import Magics, cell_magic, magics_class

from rooftile.program import RooftileError, has_gpu
from rooftile.questions import predict, sweep


@magics_class
class RooftileMagics(Magics):
    @cell_magic
    def rooftile(self, line, cell):
        asked = _parser().parse_args(shlex.split(line))
        dials = dict(map(_dial, asked.dials))
        if not asked.gpu and not has_gpu():
            raise RooftileError('There is no NVIDIA GPU here. Name one to predict for: %%rooftile --gpu "RTX 4090"')
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "cell.cu"
            source.write_text(cell)
            launches = predict(source, gpu=asked.gpu, **dials) if asked.gpu else sweep(source, **dials)
        if asked.name:
            self.shell.user_ns[asked.name] = launches
        return launches


def _parser():
    parser = ArgumentParser(prog="%%rooftile", add_help=False)
    parser.add_argument("dials", nargs="*", metavar="NAME=VALUES")
    parser.add_argument("--gpu")
    parser.add_argument("--name")
    return parser


def _dial(word):
    name, separator, values = word.partition("=")
    if not separator:
        raise RooftileError(f"'{word}' is no dial: write NAME=VALUE or NAME=VALUE,VALUE.")
    return name, values.split(",") if "," in values else values
