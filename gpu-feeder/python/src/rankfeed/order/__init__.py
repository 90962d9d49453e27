"""The order of rows, computed from the numbers in ``order.json`` (format page ``plan.md``) and nothing else."""

from rankfeed.order.document import Order
from rankfeed.order.sequential import SequentialOrder
from rankfeed.order.train import TrainOrder
from rankfeed.order.values import OrderError, Rows, Segment, Stratum

__all__ = ["Order", "OrderError", "Rows", "Segment", "SequentialOrder", "Stratum", "TrainOrder"]
