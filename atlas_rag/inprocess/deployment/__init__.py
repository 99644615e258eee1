"""One door for all commands: `Deployment.run_command`.

deployment (the door) → commands/ (one function each) → queries/ (the executor) and namespace (a collection)
namespace → indexes/ (what it keeps in step) · persistence (what is told again) · cursors · faults · release
"""

from atlas_rag.inprocess.deployment.deployment import Deployment

__all__ = ["Deployment"]
