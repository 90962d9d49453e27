package io.rankfeed.spark.sample.strata;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class TaskCountsTest {
    @Test
    void groups_haveTheNumberOfTheirRows() {
        long[] numbers = {0, 1, 4095, 4096, -1, Long.MIN_VALUE, Long.MAX_VALUE};
        Random random = new Random(5);
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            rows.add(List.of(
                    "a".repeat(random.nextInt(3)), "ü" + random.nextInt(4), numbers[random.nextInt(numbers.length)]));
        }
        assertThat(counted(rows, 2)).isEqualTo(reference(rows)).hasSize(3 * 4 * numbers.length);
    }

    @Test
    void groupsOfOneText_thatAreMany_haveTheNumberOfTheirRows() {
        Random random = new Random(6);
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            rows.add(List.of(random.nextBoolean() ? "a" : "b", (long) random.nextInt(-50, 6_000)));
        }
        assertThat(counted(rows, 1)).isEqualTo(reference(rows)).hasSizeGreaterThan(10_000);
    }

    @Test
    void rowsWithoutTexts_areCountedByTheirNumber() {
        List<List<Object>> rows = List.of(List.of(7L), List.of(5000L), List.of(7L));
        assertThat(counted(rows, 0)).isEqualTo(reference(rows));
        assertThat(counted(List.of(), 2)).isEmpty();
    }

    @Test
    void moreGroupsThanATaskKeeps_areCountedInParts() {
        List<List<Object>> rows = new ArrayList<>();
        for (long i = 0; i < 600_000; i++) {
            rows.add(List.of("x", i % 300_000));
        }
        assertThat(counted(rows, 1)).isEqualTo(reference(rows)).hasSize(300_000);
    }

    private static Map<List<Object>, Long> reference(List<List<Object>> rows) {
        Map<List<Object>, Long> counts = new HashMap<>();
        rows.forEach(row -> counts.merge(row, 1L, Long::sum));
        return counts;
    }

    /** The counts of the lines; the texts of the rows are in one buffer, as those of Spark are. */
    private static Map<List<Object>, Long> counted(List<List<Object>> rows, int texts) {
        byte[] buffer = new byte[64];
        TaskCounts lines = new TaskCounts(
                rows.stream().map(row -> reused(row, buffer, texts)).iterator());
        Map<List<Object>, Long> counts = new HashMap<>();
        while (lines.hasNext()) {
            InternalRow line = lines.next();
            List<Object> group = new ArrayList<>();
            for (int i = 0; i < texts; i++) {
                group.add(line.getUTF8String(i).toString());
            }
            group.add(line.getLong(texts));
            counts.merge(group, line.getLong(texts + 1), Long::sum);
        }
        return counts;
    }

    private static InternalRow reused(List<Object> row, byte[] buffer, int texts) {
        Object[] values = row.toArray();
        int at = 0;
        for (int i = 0; i < texts; i++) {
            byte[] text = UTF8String.fromString((String) values[i]).getBytes();
            System.arraycopy(text, 0, buffer, at, text.length);
            values[i] = UTF8String.fromBytes(buffer, at, text.length);
            at += text.length;
        }
        return new GenericInternalRow(values);
    }
}
