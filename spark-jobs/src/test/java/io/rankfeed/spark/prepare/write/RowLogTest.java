package io.rankfeed.spark.prepare.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log against a list of the same rows, through many cuts. */
class RowLogTest {
    private static final long SEED = 11;
    private static final StructType SCHEMA =
            new StructType().add("id", DataTypes.LongType).add("bytes", DataTypes.BinaryType);

    @TempDir
    private Path scratch;

    @ParameterizedTest(name = "{0} MiB of memory, seed " + SEED)
    @ValueSource(ints = {1, 9, 64})
    void rows_afterAnyRemoval_areAsTheyWere(int memoryMib) throws IOException {
        Random random = new Random(SEED);
        UnsafeProjection unsafe = UnsafeProjection.create(SCHEMA);
        List<Long> ids = new ArrayList<>();
        long next = 0;
        try (RowLog log = new RowLog(SCHEMA.size(), scratch, memoryMib << 20)) {
            for (int turn = 0; turn < 30; turn++) {
                for (int i = random.nextInt(40); i >= 0; i--) {
                    // Some are long, and one in a hundred longer than a chunk.
                    int length = random.nextInt(100) == 0
                            ? 5_000_000
                            : random.nextInt(random.nextInt(10) == 0 ? 400_000 : 3_000);
                    ids.add(next);
                    log.append(unsafe.apply(new GenericInternalRow(new Object[] {next++, new byte[length]})));
                }
                GroupRows cut = cut(log, random);
                List<Long> expected = new ArrayList<>(ids.subList(0, cut.first()));
                cut.apart().forEach(row -> expected.add(ids.get(row)));
                List<Long> replayed = new ArrayList<>();
                log.replay(cut, row -> replayed.add(row.getLong(0)));
                assertThat(replayed).isEqualTo(expected);
                log.drop(cut);
                ids.removeAll(expected);
                assertThat(log.rows()).isEqualTo(ids.size());
                assertThat(all(log)).isEqualTo(ids);
                assertThat(log.lengthBytes())
                        .isEqualTo(log.first(Long.MAX_VALUE, 0, log.rows()).rawBytes());
            }
        }
        try (var left = Files.list(scratch)) {
            assertThat(left).isEmpty();
        }
    }

    /** The first rows and perhaps some after them. */
    private static GroupRows cut(RowLog log, Random random) {
        int first = random.nextInt(log.rows() + 1);
        GroupRows cut = log.first(Long.MAX_VALUE, 0, first);
        TreeSet<Integer> apart = new TreeSet<>();
        if (first < log.rows() && random.nextBoolean()) {
            random.ints(random.nextInt(6), first, log.rows()).forEach(apart::add);
        }
        long apartBytes = 0;
        for (int row : apart) {
            apartBytes += log.first(Long.MAX_VALUE, 0, row + 1).rawBytes()
                    - log.first(Long.MAX_VALUE, 0, row).rawBytes();
        }
        return new GroupRows(first, List.copyOf(apart), cut.rawBytes() + apartBytes, cut.nextBytes());
    }

    private static List<Long> all(RowLog log) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        log.writeTo(bytes);
        List<Long> ids = new ArrayList<>();
        RowLog.readAll(new ByteArrayInputStream(bytes.toByteArray()), SCHEMA.size(), row -> ids.add(row.getLong(0)));
        return ids;
    }
}
