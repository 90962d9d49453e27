package io.rankfeed.spark.export;

import io.rankfeed.schema.order.Order;
import org.apache.hadoop.fs.Path;

/**
 * A version that is complete.
 *
 * @param id 16 hexadecimal digits
 * @param path its folder
 * @param rows of all feeds
 * @param lengthBytes of all files together
 * @param order the plan of the job, as an order over the version
 */
public record Version(String id, Path path, long rows, long lengthBytes, Order order) {}
