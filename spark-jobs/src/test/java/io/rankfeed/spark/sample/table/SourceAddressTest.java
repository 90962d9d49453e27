package io.rankfeed.spark.sample.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.digest.KeyEncoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SourceAddressTest {
    private static final List<String> SOURCES =
            List.of("t/b.parquet", "t/a.parquet", "t/aa.parquet", "u/z", "t/ü.parquet", "t/" + "long".repeat(80));

    @Test
    void keysAndIds_areThoseOfTheEncodedAddress() {
        SourceAddress.Key key = new SourceAddress.Key(SOURCES);
        SourceAddress.Id id = new SourceAddress.Id(SOURCES);
        Random random = new Random(3);
        List<long[]> rows = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            // Rows of one to five bytes: the bytes of an index sort from its low one.
            rows.add(new long[] {random.nextInt(-1, SOURCES.size()), random.nextLong(1L << random.nextInt(1, 40))});
        }
        for (long[] row : rows) {
            assertThat(id.invoke((int) row[0], row[1])).isEqualTo(encoded(row).rowId());
        }
        List<long[]> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparingLong(row -> key.invoke((int) row[0], row[1])));
        rows.sort((a, b) ->
                Arrays.compareUnsigned(encoded(a).toBytes(), encoded(b).toBytes()));
        assertThat(sorted).usingElementComparator(Arrays::compare).containsExactlyElementsOf(rows);
    }

    private static KeyEncoding encoded(long[] row) {
        return new KeyEncoding().address(row[0] < 0 ? "" : SOURCES.get((int) row[0]), row[1]);
    }
}
