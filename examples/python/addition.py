"""A digit reader that has never seen a label: it learns from the sums of pairs of digits.

Run it with scripts/python, or from the root of the repository: python examples/python/addition.py
"""

import torch

import neurasp
from digits import network, read

torch.manual_seed(1)
pictures, digits = read("train")
net = network()

program = neurasp.Program("""
    img(a; b).
    nn(digit(1,X), [0,1,2,3,4,5,6,7,8,9]) :- img(X).
    sum(X+Y) :- digit(0,a,X), digit(0,b,Y).""", digit=net)

pairs = torch.utils.data.TensorDataset(pictures[0::2], pictures[1::2], digits[0::2] + digits[1::2])
optimizer = torch.optim.Adam(program.parameters(), lr=2e-3)
for epoch in range(1, 7):
    losses = []
    for a, b, s in torch.utils.data.DataLoader(pairs, batch_size=16, shuffle=True):
        loss = program.loss({"a": a, "b": b}, observe=":- not sum({}).", values=s)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"epoch {epoch}: mean loss {sum(losses) / len(losses):.3f}")

program.eval()
pictures, digits = read("test")
with torch.no_grad():
    accuracy = (net(pictures).argmax(1) == digits).float().mean().item()
    print(f"Digits read rightly, of {len(digits)} that it has not seen: {100 * accuracy:.1f} %")

    first, second = {"a": pictures[:1]}, {"b": pictures[1:2]}
    print(f"\nTwo pictures of a {digits[0]} and a {digits[1]}. P(their sum is 9) = "
          f"{program.query('sum(9)', {**first, **second}).item():.4f}")
    print("If the sum were 12, the most probable digits would be:")
    print(program.map({**first, **second}, observe=":- not sum(12)."))
