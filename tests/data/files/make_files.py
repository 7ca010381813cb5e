#!/usr/bin/env python3
"""Writes the files beside it, which the tests of src/data read, with NumPy and Pillow (Debian packages
python3-numpy and python3-pil). The files are kept, so tests need neither; run this only to add one."""
import gzip
import pathlib
import struct
import zlib

import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent


def arrays():
    np.save(HERE / "int64.npy", np.array([[1, -2, 3], [4, 5, 2**40]], dtype="<i8"))
    np.save(HERE / "fortran.npy", np.asfortranarray(np.arange(24, dtype="<f4").reshape(2, 3, 4)))
    np.save(HERE / "big_endian.npy", np.array([1, -2, 300000], dtype=">i4"))
    np.save(HERE / "bool.npy", np.array([True, False, True]))
    np.save(HERE / "scalar.npy", np.float64(2.5))
    np.save(HERE / "text.npy", np.array(["a", "b"]))
    for version in (2, 3):
        with open(HERE / f"version{version}.npy", "wb") as out:
            np.lib.format.write_array(out, np.array([0.5, 1.5]), version=(version, 0))
    images = np.arange(24, dtype="u1").reshape(2, 3, 4)
    np.savez(HERE / "stored.npz", images=images, labels=np.array([7, 8]))
    np.savez_compressed(HERE / "deflated.npz", only=np.zeros((10, 20), dtype="u1") + 9)
    idx = b"\0\0\x08\x03" + struct.pack(">III", 2, 3, 4) + images.tobytes()
    (HERE / "images-idx3-ubyte.gz").write_bytes(gzip.compress(idx, mtime=0))


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width, height, depth, color, rows, interlaced=0, more=b""):
    head = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + chunk(b"IDAT", body) + chunk(b"IEND", b""))


def pictures():
    grey = np.array([[0, 50, 100], [150, 200, 255]], dtype="u1")
    rgb = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [10, 20, 30]]], dtype="u1")
    Image.fromarray(grey).save(HERE / "grey.png")
    Image.fromarray(rgb).save(HERE / "rgb.png")
    Image.fromarray(rgb).quantize(4).save(HERE / "palette.png")
    Image.fromarray(np.array([[0, 257, 65535]], dtype="u2")).save(HERE / "grey16.png")
    Image.fromarray(np.array([[[200, 100, 0, 255], [200, 100, 0, 0], [0, 0, 0, 51]]], dtype="u1")).save(HERE / "rgba.png")
    (HERE / "grey1.png").write_bytes(png(3, 2, 1, 0, [[0b01000000], [0b10100000]]))
    # Adam7: pixel (x, y) = 10 * y + x of a 3 x 3 picture, pass by pass.
    passes = [[[0]], [], [], [[2]], [[20, 22]], [[1], [21]], [[10, 11, 12]]]
    (HERE / "interlaced.png").write_bytes(png(3, 3, 8, 0, [row for p in passes for row in p], 1))

    flat = np.zeros((8, 16), dtype="u1")
    flat[:, :8] = 40
    flat[:, 8:] = 200
    Image.fromarray(flat).save(HERE / "grey.jpg", quality=100)
    colors = np.zeros((16, 16, 3), dtype="u1") + np.array([200, 100, 50], dtype="u1")
    Image.fromarray(colors).save(HERE / "rgb.jpg", quality=100)
    Image.fromarray(colors).save(HERE / "progressive.jpg", quality=100, progressive=True)
    Image.fromarray(colors).convert("CMYK").save(HERE / "cmyk.jpg")
    for name in ("rgb.jpg", "progressive.jpg"):
        print(name, Image.open(HERE / name).getpixel((3, 3)), Image.open(HERE / name).convert("L").getpixel((3, 3)))
    print("palette.png", list(Image.open(HERE / "palette.png").convert("RGB").getdata()))


def folders():
    for folder, shades in {"minus": (1, 2), "plus": (3,)}.items():
        (HERE / "symbols" / folder).mkdir(parents=True, exist_ok=True)
        for number, shade in enumerate(shades):
            Image.fromarray(np.full((2, 3), shade, dtype="u1")).save(HERE / "symbols" / folder / f"{number}.png")


arrays()
pictures()
folders()
