"""Kernels of PyTorch, each launched 20 times, and one of Triton where it is installed."""
import torch

torch.manual_seed(1)
a, b = torch.randn(2048, 2048, device="cuda"), torch.randn(2048, 2048, device="cuda")
rows = torch.randn(8192, 4096, device="cuda")
index = torch.randint(0, 8192, (8192,), device="cuda")

try:
    import triton
    import triton.language as tl

    @triton.jit
    def triton_scale(x, y, n, factor, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(y + i, factor * tl.load(x + i, mask=i < n), mask=i < n)
except ImportError:
    triton = None

for _ in range(20):
    torch.matmul(a, b)
    torch.softmax(rows, dim=1)
    torch.nn.functional.gelu(rows)
    rows.sum(dim=0)
    rows[index]
    if triton:
        out = torch.empty_like(rows)
        triton_scale[(rows.numel() // 1024,)](rows, out, rows.numel(), 0.5, BLOCK=1024)
torch.cuda.synchronize()
print("done")
