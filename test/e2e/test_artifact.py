"""Artifacts on disk: replaced while in use, broken, loaded often."""

import json
import os
import shutil

import numpy as np
import pytest

import disc

SOURCE = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.OP %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def model(op):
    return disc.compile(SOURCE.replace("OP", op))


@pytest.fixture(scope="module")
def models():
    return model("negate"), model("abs")


@pytest.fixture
def folder(models, tmp_path):
    return models[0].save(tmp_path / "artifact")


def test_a_loaded_model_survives_a_save_to_its_folder(models, folder):
    x = np.array([-1.0, 2.0], "f4")
    loaded = disc.load(folder)
    models[1].save(folder)
    again = disc.load(folder)
    again.save(folder)
    np.testing.assert_array_equal(loaded(x), -x)
    np.testing.assert_array_equal(again(x), np.abs(x))
    np.testing.assert_array_equal(disc.load(folder)(x), np.abs(x))
    assert sorted(os.listdir(folder)) == ["code.so", "manifest.json"]


def test_a_loaded_model_saves_itself_after_its_folder_has_another(models, folder, tmp_path):
    x = np.array([-1.0, 2.0], "f4")
    loaded = disc.load(folder)
    models[1].save(folder)
    loaded.save(tmp_path / "copy")
    np.testing.assert_array_equal(disc.load(tmp_path / "copy")(x), -x)


def test_loading_replaced_files_again_and_again_keeps_no_descriptors(models, folder):
    x = np.array([-1.0, 2.0], "f4")
    first = disc.load(folder)
    models[1].save(folder)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        np.testing.assert_array_equal(disc.load(folder)(x), np.abs(x))
    assert len(os.listdir("/proc/self/fd")) <= before + 1
    np.testing.assert_array_equal(first(x), -x)


@pytest.mark.parametrize("keep", [0, 64, 0.5, -1])
def test_a_truncated_code_file_is_an_error(folder, keep):
    file = folder / "code.so"
    size = file.stat().st_size
    os.truncate(file, size + keep if keep < 0 else int(keep * size) if keep < 1 else keep)
    with pytest.raises(disc.DiscError, match="code.so"):
        disc.load(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\x00\x01", '{"format": 1}', '{"format": 9}'])
def test_a_broken_manifest_is_an_error(folder, text):
    (folder / "manifest.json").write_text(text)
    with pytest.raises(disc.DiscError):
        disc.load(folder)


@pytest.mark.parametrize("content", [None, b"", b"\x10\x00\x00\x00\x00\x00\x00\x00{}", b"\xff" * 100])
def test_broken_weights_are_an_error(folder, content):
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "constants": ["w"]}))
    if content is not None:
        (folder / "weights.safetensors").write_bytes(content)
    with pytest.raises(disc.DiscError, match="weights.safetensors"):
        disc.load(folder)


def test_a_place_that_cannot_be_written_is_an_error(models, tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(disc.DiscError, match="file"):
            models[0].save(place)


def test_saving_after_the_folder_is_gone(folder, tmp_path):
    loaded = disc.load(folder)
    shutil.rmtree(folder)
    x = np.array([-1.0, 2.0], "f4")
    np.testing.assert_array_equal(disc.load(loaded.save(tmp_path / "other"))(x), -x)
