package io.rankfeed.spark.generate;

import io.rankfeed.sampling.order.Mix;
import io.rankfeed.sampling.order.Permutation;
import io.rankfeed.spark.generate.CodeContestsShape.Count;
import io.rankfeed.spark.generate.CodeContestsShape.Split;
import java.io.Serializable;

/**
 * Computes every row of a set as a pure function of the seed and its number: train rows first, then valid, then test.
 *
 * <p>A row number is shuffled (by a keyed permutation) into a position of its split. The positions of a difficulty are cut into
 * runs of 210, each of them 20 problems that have 1 to 20 solutions in a keyed order; a second permutation of the positions
 * says which are correct. So all counts are exact, a problem's rows are apart, and no state is needed.
 */
record CodeContestsRows(long seed, CodeContestsShape shape) implements Serializable {
    /** The most solutions of a problem, and the problems of a run. */
    static final int MAX_SOLUTIONS = 20;

    private static final int RUN_ROWS = MAX_SOLUTIONS * (MAX_SOLUTIONS + 1) / 2;
    private static final int TASKS_PER_CONTEST = 6;

    /** The first word of a key: what it is for. */
    private enum Purpose {
        POSITION(1),
        CORRECT(2),
        SOLUTIONS(3),
        STATEMENT(4),
        INPUT(5),
        PROGRAM(6);

        private final long word;

        Purpose(long word) {
            this.word = word;
        }
    }

    /** A row in the columns' order. */
    record Sample(
            String taskId,
            String split,
            String instruction,
            String input,
            String output,
            boolean isCorrect,
            int difficulty) {}

    /**
     * @param problem unique over the splits
     * @param number from 0, of this problem
     */
    private record Solution(long problem, int number, int difficulty) {}

    /** @param number in [0, {@code shape.rows()}) */
    Sample row(long number) {
        long inSplit = number;
        long firstProblem = 0;
        for (int s = 0; s < shape.splits().size(); s++) {
            Split split = shape.splits().get(s);
            if (inSplit < split.rows()) {
                return row(split, s, firstProblem, inSplit);
            }
            inSplit -= split.rows();
            firstProblem += problems(split);
        }
        throw new IndexOutOfBoundsException("row " + number + " of " + shape.rows());
    }

    private Sample row(Split split, int splitNumber, long firstProblem, long number) {
        long at = Permutation.at(split.rows(), key(Purpose.POSITION, splitNumber), number);
        Solution solution = solution(split, firstProblem, at);
        boolean correct = Permutation.at(split.rows(), key(Purpose.CORRECT, splitNumber), at) < split.correct();
        return new Sample(
                taskId(solution, correct ? "correct" : "incorrect"),
                split.name(),
                CodeContestsText.instruction(new CounterRandom(key(Purpose.STATEMENT, solution.problem))),
                CodeContestsText.input(new CounterRandom(key(Purpose.INPUT, solution.problem, solution.number))),
                CodeContestsText.output(new CounterRandom(key(Purpose.PROGRAM, solution.problem, solution.number))),
                correct,
                solution.difficulty);
    }

    private Solution solution(Split split, long firstProblem, long at) {
        long inClass = at;
        long first = firstProblem;
        for (Count count : split.difficulties()) {
            if (inClass < count.rows()) {
                return solution(count.difficulty(), first, inClass);
            }
            inClass -= count.rows();
            first += problems(count);
        }
        throw new IndexOutOfBoundsException("position " + at + " of " + split.rows());
    }

    private Solution solution(int difficulty, long firstProblem, long inClass) {
        long firstOfRun = firstProblem + inClass / RUN_ROWS * MAX_SOLUTIONS;
        long key = key(Purpose.SOLUTIONS, firstOfRun);
        int left = (int) (inClass % RUN_ROWS);
        int problem = 0;
        int solutions = 1 + (int) Permutation.at(MAX_SOLUTIONS, key, 0);
        while (left >= solutions) {
            left -= solutions;
            problem++;
            solutions = 1 + (int) Permutation.at(MAX_SOLUTIONS, key, problem);
        }
        return new Solution(firstOfRun + problem, left, difficulty);
    }

    /** Formats an id as contests name their tasks: contest and letter. */
    private static String taskId(Solution solution, String verdict) {
        char letter = (char) ('A' + solution.problem % TASKS_PER_CONTEST);
        return (1 + solution.problem / TASKS_PER_CONTEST) + "_" + letter + "_" + verdict + "_" + solution.number;
    }

    /** Numbers set aside for problems; the last run of a difficulty may leave some unused. */
    private static long problems(Count count) {
        return (count.rows() + RUN_ROWS - 1) / RUN_ROWS * MAX_SOLUTIONS;
    }

    private static long problems(Split split) {
        return split.difficulties().stream()
                .mapToLong(CodeContestsRows::problems)
                .sum();
    }

    private long key(Purpose purpose, long... words) {
        long[] all = new long[words.length + 1];
        all[0] = purpose.word;
        System.arraycopy(words, 0, all, 1, words.length);
        return Mix.key(seed, all);
    }
}
