package io.rankfeed.export.format;

import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import java.util.List;
import java.util.Locale;

/**
 * The rows of one split in one order, which a library opens as one dataset.
 *
 * @param split name of the split; the paths of all files of the set begin with it
 * @param rows rows of all parts
 * @param partRows rows of every part but the last, at least 1
 */
public record FileSet(String split, SampleSchema schema, long rows, long partRows, FormatOptions options) {
    /** Bytes of the values in a file, if neither option limits it. */
    private static final long SHARD_BYTES = 128L << 20;

    /** Files of a part, where their bytes are limited. */
    private static final long SHARDS_PER_PART = 8;

    public FileSet {
        if (rows < 0 || partRows < 1) {
            throw new ConfigException(
                    "rows must be at least 0 and rows of a part at least 1, not " + rows + " and " + partRows);
        }
    }

    /**
     * A set whose parts depend on the options and the size of its values only, not on the number of tasks.
     *
     * @param lengthBytes bytes of the values of all rows
     * @throws ConfigException if the format does not have an option
     */
    public static FileSet of(
            Format format, String split, SampleSchema schema, long rows, long lengthBytes, FormatOptions options) {
        for (String option : options.others().keySet()) {
            if (!format.options().contains(option)) {
                throw new ConfigException("format " + format.name() + " has no option '" + option + "'"
                        + Suggestion.hint(option, List.copyOf(format.options())));
            }
        }
        if (format.onePart() && (options.shardRows() > 0 || options.shardBytes() > 0)) {
            throw new ConfigException(
                    "format " + format.name() + " writes one file; remove shard-rows and shard-bytes");
        }
        return new FileSet(split, schema, rows, partRows(format, rows, lengthBytes, options), options);
    }

    /** Parts of this set; one if there are no rows. */
    public int parts() {
        return Math.toIntExact(Math.max(1, (rows + partRows - 1) / partRows));
    }

    /** The part with this index, without the results of a survey. */
    public Part part(int index) {
        return Part.of(index, index * partRows, Math.min(partRows, rows - index * partRows));
    }

    /**
     * The path of a file: the number of its part, and its number in the part if bytes limit the files. In the order of
     * the rows when sorted.
     */
    public String shardPath(String prefix, int part, int number, String suffix) {
        // A file has at least one row, so a part has at most partRows files.
        String name = padded(part, 5, parts()) + (options.shardBytes() == 0 ? "" : "-" + padded(number, 4, partRows));
        return split + "/" + prefix + name + suffix;
    }

    /** A number below {@code limit}, with as many digits as all such numbers have, and at least {@code digits}. */
    private static String padded(int number, int digits, long limit) {
        int width = Math.max(digits, Long.toString(limit - 1).length());
        return String.format(Locale.ROOT, "%0" + width + "d", number);
    }

    private static long partRows(Format format, long rows, long lengthBytes, FormatOptions options) {
        if (format.onePart() || rows == 0) {
            return Math.max(1, rows);
        }
        if (options.shardRows() > 0) {
            return options.shardRows();
        }
        long bytes = options.shardBytes() > 0
                ? Math.min(options.shardBytes(), Long.MAX_VALUE / SHARDS_PER_PART) * SHARDS_PER_PART
                : SHARD_BYTES;
        long meanBytes = Math.max(1, lengthBytes / rows);
        return Math.min(rows, Math.max(1, bytes / meanBytes));
    }
}
