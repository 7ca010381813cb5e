"""MNIST addition with PyTorch Lightning: the program is a part of a LightningModule like any other.

Lightning is not a dependency of the package: pip install lightning. Run it from the root of the repository:
python examples/python/with_lightning.py
"""

import lightning
import torch

import neurasp
from digits import network, read


class Addition(lightning.LightningModule):
    """A digit reader that learns from sums."""

    def __init__(self):
        super().__init__()
        self.program = neurasp.Program("""
            img(a; b).
            nn(digit(1,X), [0,1,2,3,4,5,6,7,8,9]) :- img(X).
            sum(X+Y) :- digit(0,a,X), digit(0,b,Y).""", digit=network())

    def training_step(self, batch, _):
        a, b, s = batch
        loss = self.program({"a": a, "b": b}, observe=":- not sum({}).", values=s)
        self.log("loss", loss.detach(), prog_bar=True)
        return loss

    def validation_step(self, batch, _):
        pictures, digits = batch
        read_rightly = self.program.networks["digit"](pictures).argmax(1) == digits
        self.log("digits", read_rightly.float().mean(), prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=2e-3)


def main(epochs=6, folder="."):
    lightning.seed_everything(1)
    pictures, digits = read("train")
    pairs = torch.utils.data.TensorDataset(pictures[0::2], pictures[1::2], digits[0::2] + digits[1::2])
    trainer = lightning.Trainer(max_epochs=epochs, accelerator="cpu", logger=False, default_root_dir=folder,
                                enable_checkpointing=False)
    trainer.fit(Addition(), torch.utils.data.DataLoader(pairs, batch_size=16, shuffle=True),
                torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*read("test")), batch_size=200))
    return float(trainer.callback_metrics["digits"])


if __name__ == "__main__":
    print(f"Digits read rightly that it has not seen: {100 * main():.1f} %")
