package io.rankfeed.spark.function;

import java.io.Serializable;
import java.util.HashMap;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Labels and their numbers, as they go with the tasks.
 *
 * @param sha256 of the list
 */
record LabelNumbers(String sha256, Broadcast<HashMap<UTF8String, Integer>> numbers) implements Serializable {
    @Nullable
    Integer of(UTF8String label) {
        return numbers.value().get(label);
    }
}
