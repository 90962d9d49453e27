package io.rankfeed.testing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * The seed of a property test: new in each run, or what {@code -Dtests.seed} states. It is printed, and a failure prints the command
 * that repeats it ({@link TestNotes}). {@code -Dtests.iters} multiplies the numbers of cases.
 */
public final class Seed {
    private static final String PROPERTY = "tests.seed";
    private static final String ITERATIONS = "tests.iters";
    private static final Map<Class<?>, Long> DRAWN = new ConcurrentHashMap<>();

    private Seed() {}

    /** The seed of a test class, the same whenever it is asked for in this JVM. */
    public static long of(Class<?> test) {
        return DRAWN.computeIfAbsent(test, key -> {
            Long stated = Long.getLong(PROPERTY);
            long seed = stated == null ? RandomGenerator.getDefault().nextInt(Integer.MAX_VALUE) : stated;
            System.out.println(key.getSimpleName() + ": seed " + seed);
            return seed;
        });
    }

    /** Consecutive seeds from that of a test class on, for a parameterized test. */
    public static LongStream several(Class<?> test, int number) {
        long first = of(test);
        return LongStream.range(first, first + cases(number));
    }

    /** A number of cases, multiplied as the run states. */
    public static int cases(int number) {
        return Math.multiplyExact(number, Integer.getInteger(ITERATIONS, 1));
    }

    /** The words that repeat a test of a class; empty where it has asked for no seed. */
    static String repeated(Class<?> test, String method, boolean isNightly) {
        Long seed = DRAWN.get(test);
        return seed == null
                ? ""
                : "./dev test " + test.getSimpleName() + "." + method + (isNightly ? " --nightly" : "") + " -D"
                        + PROPERTY + "=" + seed + (cases(1) == 1 ? "" : " -D" + ITERATIONS + "=" + cases(1));
    }
}
