"""A program for `rooftile-cli profile`: training steps of one transformer layer in PyTorch.   training_step.py [STEPS]"""
import sys

import torch

torch.manual_seed(0)
torch.backends.cuda.matmul.allow_tf32 = True
layer = torch.nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, dropout=0.0).cuda()
optimizer = torch.optim.AdamW(layer.parameters())
x = torch.randn(16, 256, 512, device="cuda")
for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 2):
    optimizer.zero_grad()
    loss = (layer(x) ** 2).mean()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.6f}")
