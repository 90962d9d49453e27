"""The order of rows, computed from the numbers in ``order.json`` alone (format page ``plan.md``)."""

from rankfeed.order.document import Order
from rankfeed.order.sequential import SequentialOrder
from rankfeed.order.train import TrainOrder
from rankfeed.order.values import Member, OrderError, Rows, Segment, Stratum

__all__ = ["Member", "Order", "OrderError", "Rows", "Segment", "SequentialOrder", "Stratum", "TrainOrder"]
