package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Reads damaged copies of a file: each gives rows, as many as it states, or a message that names it. */
public final class FormatDamage {
    private static final long MAX_ALLOCATED_BYTES = 512L << 20;
    private static final long MAX_NANOS = 20_000_000_000L;

    private FormatDamage() {}

    /** How many copies had which outcome. */
    public static Map<String, Integer> read(RowFormat format, byte[] sound, Path file, long seed, int changes)
            throws IOException {
        ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Map<String, Integer> outcomes = new TreeMap<>();
        for (int i = 0; i < changes; i++) {
            Files.write(file, changed(sound, new SplittableRandom(seed + i)));
            String change = "seed " + (seed + i);
            long allocated = memory.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            outcomes.merge(outcome(format, file, change), 1, Integer::sum);
            assertThat(System.nanoTime() - start).as(change).isLessThan(MAX_NANOS);
            assertThat(memory.getCurrentThreadAllocatedBytes() - allocated)
                    .as(change)
                    .isLessThan(MAX_ALLOCATED_BYTES);
        }
        return outcomes;
    }

    private static String outcome(RowFormat format, Path file, String change) throws IOException {
        try {
            ReadFile read = ReadFile.all(format, file);
            assertThat(read.rows())
                    .as(change)
                    .hasSize(Math.toIntExact(read.stored().rows().orElseThrow()));
            return "rows";
        } catch (RankfeedException e) {
            assertThat(e).as(change).isInstanceOfAny(CorruptDataException.class, ConfigException.class);
            assertThat(e.getMessage()).as(change).contains(file.getFileName().toString());
            return "refused";
        } catch (RuntimeException | Error e) {
            throw new AssertionError(change, e);
        }
    }

    private static byte[] changed(byte[] sound, SplittableRandom random) {
        int at = random.nextInt(sound.length);
        int end = Math.min(sound.length, at + 1 + random.nextInt(random.nextBoolean() ? 8 : 300));
        byte[] bytes = sound.clone();
        switch (random.nextInt(7)) {
            case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> bytes[at] = (byte) random.nextInt(256);
            case 3 -> bytes = Arrays.copyOf(sound, at);
            case 4 -> bytes = joined(sound, end, at);
            case 5 -> bytes = joined(sound, at, end);
            default -> Arrays.fill(bytes, at, end, random.nextBoolean() ? 0 : (byte) -1);
        }
        return bytes;
    }

    /** The bytes up to one position, then those from another: a range is there twice, or missing. */
    private static byte[] joined(byte[] sound, int to, int from) {
        byte[] bytes = Arrays.copyOf(sound, to + sound.length - from);
        System.arraycopy(sound, from, bytes, to, sound.length - from);
        return bytes;
    }
}
