package io.rankfeed.spark.petastorm;

import java.util.List;

/** A Petastorm schema: its name and its fields, in order. */
public record Unischema(String name, List<UnischemaField> fields) {
    public Unischema {
        fields = List.copyOf(fields);
    }
}
