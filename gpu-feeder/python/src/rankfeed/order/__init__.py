"""The order of rows, computed from the numbers in ``order.json`` alone (format pages ``plan.md``, ``order-2.md``)."""

from rankfeed.order.document import Order
from rankfeed.order.sequential import SequentialOrder
from rankfeed.order.train import TrainOrder
from rankfeed.order.values import Member, OrderError, Rows, Segment, Stratum

__all__ = ["Member", "Order", "OrderError", "Rows", "Segment", "SequentialOrder", "Stratum", "TrainOrder"]
