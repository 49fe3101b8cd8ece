"""What a user could run a model of changing sizes with, one family a module."""

from . import disc_peer, iree_peer, jax_peer, onnx_peers, stream_peer, torch_peers
from .base import Peer, Runner, Setup, short

PEERS: dict[str, Peer] = {
    **torch_peers.PEERS,
    **disc_peer.PEERS,
    **onnx_peers.PEERS,
    **iree_peer.PEERS,
    **jax_peer.PEERS,
    **stream_peer.PEERS,
}
QUICK = ("eager", "disc", "ort", "openvino", "stream")  # those that compile in seconds

__all__ = ["PEERS", "QUICK", "Peer", "Runner", "Setup", "short"]
