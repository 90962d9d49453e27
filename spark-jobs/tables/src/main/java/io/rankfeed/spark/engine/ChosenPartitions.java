package io.rankfeed.spark.engine;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.rdd.PartitionCoalescer;
import org.apache.spark.rdd.PartitionGroup;
import org.apache.spark.rdd.RDD;
import scala.Option;

/** Partitions of an RDD put together in groups, each in the order given; one may be in several groups or in none. */
final class ChosenPartitions implements PartitionCoalescer, Serializable {
    private static final long serialVersionUID = 1L;

    private final ArrayList<Group> groups;

    /**
     * A partition of the result.
     *
     * @param host where its data are; empty if anywhere
     */
    record Group(ArrayList<Integer> partitions, String host) implements Serializable {}

    ChosenPartitions(List<Group> groups) {
        this.groups = new ArrayList<>(groups);
    }

    <T> RDD<T> of(RDD<T> parent) {
        return parent.coalesce(groups.size(), false, Option.apply(this), null);
    }

    @Override
    public PartitionGroup[] coalesce(int max, RDD<?> parent) {
        Partition[] partitions = parent.partitions();
        return groups.stream()
                .map(group -> {
                    PartitionGroup together =
                            new PartitionGroup(Option.apply(group.host().isEmpty() ? null : group.host()));
                    for (Integer partition : group.partitions()) {
                        together.partitions().addOne(partitions[partition]);
                    }
                    return together;
                })
                .toArray(PartitionGroup[]::new);
    }
}
