package io.rankfeed.sampling.compat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The index lists of the first sampler of the weighted-mtp project, number for number. Rank {@code r} of {@code W} there
 * takes {@code list[r::W]}.
 *
 * <p>Bins and weights together choose by difficulty; else {@code balanceCorrect} balances right and wrong rows; else a
 * ratio of 1 takes right rows alone; else any row. What it lacks in a bin it fills up, from the other class at first and
 * then from any row of the file, whatever its difficulty: its {@code n} rows are kept, its shares are not.
 *
 * @param samples how many rows, from 1
 * @param balanceCorrect whether right rows and wrong ones are drawn apart
 * @param correctRatio share of right rows, 0 to 1
 * @param bins {@code {least, most}} by name, both inclusive; the first that holds a difficulty counts
 * @param weights share of each bin, drawn in this order
 */
public record WeightedMtpV1(
        int samples,
        long seed,
        boolean balanceCorrect,
        double correctRatio,
        Map<String, double[]> bins,
        Map<String, Double> weights) {
    public WeightedMtpV1 {
        if (samples < 1 || !(correctRatio >= 0 && correctRatio <= 1)) {
            throw new IllegalArgumentException(
                    "samples " + samples + " must be positive, correctRatio " + correctRatio + " from 0 to 1");
        }
        bins = new LinkedHashMap<>(bins);
        weights = new LinkedHashMap<>(weights);
    }

    /** The list: indices of rows, from 0, none twice; shorter than {@code samples} where there are not so many. */
    public int[] indices(MetadataRows rows) {
        PythonRandom random = new PythonRandom(seed);
        boolean byDifficulty = !bins.isEmpty() && !weights.isEmpty();
        if (byDifficulty && rows.hasDifficulty()) {
            return byDifficulty(random, rows);
        } else if (!byDifficulty && balanceCorrect && rows.hasIsCorrect()) {
            int right = (int) (samples * correctRatio);
            List<int[]> drawn = new ArrayList<>();
            drawn.add(drawn(random, rows, rows::isCorrect, right));
            drawn.add(drawn(random, rows, row -> !rows.isCorrect(row), samples - right));
            return shuffled(random, drawn);
        } else if (!byDifficulty && !balanceCorrect && correctRatio == 1 && rows.hasIsCorrect()) {
            return shuffled(random, List.of(drawn(random, rows, rows::isCorrect, samples)));
        }
        return drawn(random, rows, row -> true, samples);
    }

    private int[] byDifficulty(PythonRandom random, MetadataRows rows) {
        String[] binOf = new String[rows.count()];
        Arrays.setAll(binOf, row -> bin(rows.difficulty(row)));
        List<int[]> drawn = new ArrayList<>();
        weights.forEach((bin, weight) -> {
            if (weight > 0) {
                IntPredicate inBin = row -> binOf[row].equals(bin);
                int wanted = (int) (samples * weight);
                if (balanceCorrect && rows.hasIsCorrect()) {
                    balanced(random, rows, inBin, wanted, drawn);
                } else {
                    drawn.add(drawn(random, rows, inBin, wanted));
                }
            }
        });
        BitSet taken = new BitSet(rows.count());
        int count = 0;
        for (int[] some : drawn) {
            count += some.length;
            Arrays.stream(some).forEach(taken::set);
        }
        if (count < samples) {
            drawn.add(drawn(random, rows, row -> !taken.get(row), samples - count));
        }
        int[] list = shuffled(random, drawn);
        return list.length > samples ? Arrays.copyOf(list, samples) : list;
    }

    /**
     * Draws right rows first, then wrong ones. If one class has too few rows, the other adds more; if both have too
     * few, none does.
     */
    private void balanced(PythonRandom random, MetadataRows rows, IntPredicate inBin, int wanted, List<int[]> drawn) {
        int[] right = all(rows, row -> inBin.test(row) && rows.isCorrect(row));
        int[] wrong = all(rows, row -> inBin.test(row) && !rows.isCorrect(row));
        int rightWanted = (int) (wanted * correctRatio);
        int wrongWanted = wanted - rightWanted;
        int rightTaken = Math.min(rightWanted, right.length);
        int wrongTaken = Math.min(wrongWanted, wrong.length);
        int lacking = wanted - rightTaken - wrongTaken;
        if (rightTaken < rightWanted && wrong.length > wrongTaken) {
            wrongTaken = Math.min(wrongTaken + lacking, wrong.length);
        } else if (wrongTaken < wrongWanted && right.length > rightTaken) {
            rightTaken = Math.min(rightTaken + lacking, right.length);
        }
        drawn.add(random.sample(right, rightTaken));
        drawn.add(random.sample(wrong, wrongTaken));
    }

    /** The name of the first bin that holds a difficulty, or one that no bin has. */
    private String bin(double difficulty) {
        for (Map.Entry<String, double[]> bin : bins.entrySet()) {
            if (bin.getValue()[0] <= difficulty && difficulty <= bin.getValue()[1]) {
                return bin.getKey();
            }
        }
        return "\0";
    }

    private static int[] drawn(PythonRandom random, MetadataRows rows, IntPredicate which, int wanted) {
        int[] all = all(rows, which);
        return random.sample(all, Math.min(wanted, all.length));
    }

    private static int[] all(MetadataRows rows, IntPredicate which) {
        return IntStream.range(0, rows.count()).filter(which).toArray();
    }

    private static int[] shuffled(PythonRandom random, List<int[]> drawn) {
        int[] list = drawn.stream().flatMapToInt(Arrays::stream).toArray();
        random.shuffle(list);
        return list;
    }
}
