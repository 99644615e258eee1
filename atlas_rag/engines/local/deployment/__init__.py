"""One door for all commands: `Deployment.run_command`."""

from atlas_rag.engines.local.deployment.deployment import Deployment

__all__ = ["Deployment"]
