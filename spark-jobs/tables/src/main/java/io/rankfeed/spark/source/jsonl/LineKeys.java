package io.rankfeed.spark.source.jsonl;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.source.jsonl.JsonlLines.Line;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.AccumulatorV2;

/** The keys of all lines, each with the first line that has it. Adding a line again changes nothing, so a task may be retried. */
final class LineKeys extends AccumulatorV2<LineKeys.Parsed, LineKeys.Level> {
    private static final long serialVersionUID = 1L;

    record Parsed(Line line, JsonNode object) {}

    /** The keys of the objects at one path. */
    static final class Level implements Serializable {
        private static final long serialVersionUID = 1L;

        private final TreeMap<String, Key> keys = new TreeMap<>();

        private void add(Line line, JsonNode node) {
            if (node.isArray()) {
                node.forEach(element -> add(line, element));
            }
            node.properties().forEach(entry -> {
                Key key = keys.computeIfAbsent(entry.getKey(), name -> new Key(line.file(), line.number()));
                key.below.add(line, entry.getValue());
            });
        }

        private void merge(Level other) {
            other.keys.forEach((name, added) -> {
                Key kept = keys.computeIfAbsent(name, n -> new Key(added.file, added.line));
                kept.keepFirst(added);
                kept.below.merge(added.below);
            });
        }
    }

    private static final class Key implements Serializable {
        private static final long serialVersionUID = 1L;

        private String file;
        private long line;
        private final Level below = new Level();

        Key(String file, long line) {
            this.file = file;
            this.line = line;
        }

        void keepFirst(Key other) {
            int files = other.file.compareTo(file);
            if (files < 0 || (files == 0 && other.line < line)) {
                file = other.file;
                line = other.line;
            }
        }

        boolean isBefore(Key other) {
            int files = file.compareTo(other.file);
            return files < 0 || (files == 0 && line < other.line);
        }

        String location() {
            return file + ":" + (line + 1);
        }
    }

    private Level top = new Level();

    /**
     * Refuses keys of one level that differ only in case.
     *
     * @throws CorruptDataException naming both keys, each with its first line
     */
    void refuseOtherCase(StructType schema) {
        refuseOtherCase(top, schema, "");
    }

    private static void refuseOtherCase(Level level, DataType type, String path) {
        if (type instanceof ArrayType list) {
            refuseOtherCase(level, list.elementType(), path);
        } else if (type instanceof StructType struct) {
            Map<String, Map.Entry<String, Key>> spellings = new HashMap<>();
            for (Map.Entry<String, Key> key : level.keys.entrySet()) {
                Map.Entry<String, Key> other = spellings.putIfAbsent(ColumnCase.folded(key.getKey()), key);
                if (other != null) {
                    throw key.getValue().isBefore(other.getValue()) ? clash(path, other, key) : clash(path, key, other);
                }
            }
            for (StructField field : struct.fields()) {
                Key key = level.keys.get(field.name());
                if (key != null) {
                    refuseOtherCase(key.below, field.dataType(), path + field.name() + ".");
                }
            }
        }
    }

    private static CorruptDataException clash(String path, Map.Entry<String, Key> key, Map.Entry<String, Key> before) {
        return new CorruptDataException(
                key.getValue().location(),
                "has the key '" + path + key.getKey() + "', and "
                        + before.getValue().location() + " has '" + path + before.getKey() + "'; " + ColumnCase.REMEDY);
    }

    @Override
    public void add(Parsed parsed) {
        top.add(parsed.line(), parsed.object());
    }

    @Override
    public void merge(AccumulatorV2<Parsed, Level> other) {
        top.merge(other.value());
    }

    @Override
    public Level value() {
        return top;
    }

    @Override
    public boolean isZero() {
        return top.keys.isEmpty();
    }

    @Override
    public AccumulatorV2<Parsed, Level> copy() {
        LineKeys copy = new LineKeys();
        copy.top.merge(top);
        return copy;
    }

    @Override
    public void reset() {
        top = new Level();
    }
}
