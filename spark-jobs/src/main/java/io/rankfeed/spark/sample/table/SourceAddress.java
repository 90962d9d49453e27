package io.rankfeed.spark.sample.table;

import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.spark.file.FileRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.apache.spark.sql.types.DataTypes;

/**
 * The key of rows that have none: a row's file in the source, and its index there. Both functions take the file's number in the
 * manifest's list of source files, negative for none, and the row's index.
 */
public final class SourceAddress {
    private SourceAddress() {}

    /** @return of the name of each source file and, last, of no file */
    private static List<byte[]> encoded(List<String> sources) {
        List<byte[]> names = new ArrayList<>();
        sources.forEach(source -> names.add(new KeyEncoding().string(source).toBytes()));
        names.add(new KeyEncoding().string("").toBytes());
        return names;
    }

    /** A number for each address that sorts as the bytes of the encoded addresses do. */
    public static final class Key extends DirectFunction<Long> {
        private static final long serialVersionUID = 1L;

        private final int[] ranks;

        Key(List<String> sources) {
            super("address_key", DataTypes.LongType, DataTypes.IntegerType, DataTypes.LongType);
            List<byte[]> names = encoded(sources);
            TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
            sorted.addAll(names);
            List<byte[]> ranked = new ArrayList<>(sorted);
            this.ranks = names.stream()
                    .mapToInt(name -> Collections.binarySearch(ranked, name, Arrays::compareUnsigned))
                    .toArray();
        }

        public long invoke(int source, long row) {
            // The encoding of the row's index has its low byte first.
            return FileRow.of(ranks[source < 0 ? ranks.length - 1 : source], FileRow.reversed(row));
        }
    }

    /** The row id: the hash of the encoded address. */
    public static final class Id extends DirectFunction<Long> {
        private static final long serialVersionUID = 1L;

        private final byte[][] names;

        Id(List<String> sources) {
            super("address_id", DataTypes.LongType, DataTypes.IntegerType, DataTypes.LongType);
            this.names = encoded(sources).toArray(byte[][]::new);
        }

        public long invoke(int source, long row) {
            return new KeyEncoding()
                    .encoded(names[source < 0 ? names.length - 1 : source])
                    .integer(row)
                    .rowId();
        }
    }
}
