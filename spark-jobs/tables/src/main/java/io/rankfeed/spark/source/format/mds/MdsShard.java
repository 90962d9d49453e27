package io.rankfeed.spark.source.format.mds;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A shard as {@code index.json} lists it.
 *
 * @param raw the decompressed file
 * @param zip the compressed file; the same as {@code raw} without compression
 * @param compression its name; empty if there is none
 */
record MdsShard(ShardFile raw, ShardFile zip, String compression, long samples, List<MdsColumn> columns)
        implements Serializable {
    /** @param hashes in hexadecimal, by the name of their algorithm */
    record ShardFile(String name, long bytes, Map<String, String> hashes) implements Serializable {}

    /** Reads the shards of an index. @throws CorruptDataException if it is not one */
    static List<MdsShard> all(JsonNode index, String file) {
        if (index.path("version").asInt() != 2 || !index.path("shards").isArray()) {
            throw new CorruptDataException(file, "is not an index of version 2 with shards");
        }
        List<MdsShard> shards = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonNode shard : index.path("shards")) {
            if (!shard.path("format").asText().equals("mds")) {
                throw new ConfigException(
                        file + ": a shard is of format '" + shard.path("format").asText()
                                + "', only mds is read; write the dataset again with MDSWriter");
            }
            MdsShard read = of(shard, file);
            if (!names.add(read.raw().name())) {
                throw new CorruptDataException(file, "lists '" + read.raw().name() + "' twice");
            }
            shards.add(read);
        }
        return shards;
    }

    private static MdsShard of(JsonNode shard, String file) {
        List<MdsColumn> columns = new ArrayList<>();
        JsonNode names = shard.path("column_names");
        JsonNode encodings = shard.path("column_encodings");
        JsonNode sizes = shard.path("column_sizes");
        for (int i = 0; i < names.size(); i++) {
            columns.add(new MdsColumn(names.path(i).asText(), encodings.path(i).asText(), (int)
                    number(sizes.path(i), Integer.MAX_VALUE, "column_sizes", file)));
        }
        if (encodings.size() != names.size() || sizes.size() != names.size()) {
            throw new CorruptDataException(file, "a shard has not one encoding and one size for each column");
        }
        ShardFile raw = file(shard.path("raw_data"), file);
        String compression = shard.path("compression").asText("");
        boolean isZipped =
                shard.path("compression").isTextual() && shard.path("zip_data").isObject();
        return new MdsShard(
                raw,
                isZipped ? file(shard.path("zip_data"), file) : raw,
                isZipped ? compression : "",
                number(shard.path("samples"), Integer.MAX_VALUE, "samples", file),
                List.copyOf(columns));
    }

    private static ShardFile file(JsonNode data, String file) {
        String name = data.path("basename").asText("");
        if (name.isEmpty()) {
            throw new CorruptDataException(file, "a shard has no basename");
        }
        Map<String, String> hashes = new HashMap<>();
        data.path("hashes")
                .properties()
                .forEach(hash -> hashes.put(hash.getKey(), hash.getValue().asText()));
        return new ShardFile(name, number(data.path("bytes"), Long.MAX_VALUE, "bytes", file), hashes);
    }

    /** @return 0 for null */
    private static long number(JsonNode node, long max, String what, String file) {
        if (node.isNull()) {
            return 0;
        } else if (!node.canConvertToLong() || node.asLong() < 0 || node.asLong() > max) {
            throw new CorruptDataException(file, what + ": '" + node.asText() + "' is not a number from 0 to " + max);
        }
        return node.asLong();
    }
}
