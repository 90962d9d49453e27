package io.rankfeed.sampling.plan;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.OrderLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a run, by stage and epoch.
 *
 * @param batches rows of a global batch, by stage
 * @param stageEnds the global steps before which the stages end
 * @param epochStarts the first step of each epoch where the batch changes; otherwise empty
 * @param stepsPerEpoch of the longest epoch; of every one where the batch does not change
 */
record RunSteps(List<Integer> batches, List<Long> stageEnds, int epochs, List<Long> epochStarts, int stepsPerEpoch) {
    /** @throws ConfigException if rows, batches and stages do not fit together */
    static RunSteps of(PlanRequest request, @Nullable StoredLists stored) {
        List<StageEnd> ends = request.stages().isEmpty()
                ? List.of(new StageEnd.Run())
                : request.stages().stream().map(PlanRequest.Stage::until).toList();
        List<Integer> batches = request.batches();
        if (batches.stream().distinct().count() > 1) {
            checkChanging(request, batches);
            BatchSchedule schedule = BatchSchedule.of(stages(ends, batches), request.epochs(), request.rowsPerEpoch());
            return new RunSteps(
                    batches, schedule.stageEnds(), request.epochs(), schedule.epochStarts(), schedule.longestEpoch());
        }
        int stepsPerEpoch = stepsPerEpoch(request, stored, batches.get(0));
        long[] steps = StageEnd.steps(ends, request.epochs(), stepsPerEpoch, batches.get(0));
        if (request.shares() == Shares.GROWING) {
            steps = GrowingStages.steps(ends, steps, request.epochs());
        }
        List<Long> stageEnds = new ArrayList<>();
        for (long end : steps) {
            stageEnds.add(end);
        }
        return new RunSteps(batches, stageEnds, request.epochs(), List.of(), stepsPerEpoch);
    }

    private static List<BatchSchedule.Stage> stages(List<StageEnd> ends, List<Integer> batches) {
        List<BatchSchedule.Stage> stages = new ArrayList<>();
        for (int i = 0; i < batches.size(); i++) {
            stages.add(new BatchSchedule.Stage(ends.get(i), batches.get(i)));
        }
        return stages;
    }

    private static void checkChanging(PlanRequest request, List<Integer> batches) {
        String refused = "stages have different batches, " + Collections.min(batches) + " to "
                + Collections.max(batches) + " rows, which ";
        if (request.balanceWithin() == BalanceWithin.EPOCH) {
            throw new ConfigException(refused + "balance-within: epoch excludes; choose balance-within: batch");
        }
        if (request.shares() == Shares.GROWING) {
            throw new ConfigException(refused + "nested: true excludes; leave one of them out");
        }
        if (request.epochs() > OrderLimits.MAX_EPOCH_STARTS) {
            throw new ConfigException(refused + "at most " + OrderLimits.MAX_EPOCH_STARTS + " epochs can have, not "
                    + request.epochs() + "; take fewer epochs of more rows");
        }
        checkSteps(request, request.rowsPerEpoch() / Collections.min(batches), Collections.max(batches));
    }

    private static int stepsPerEpoch(PlanRequest request, @Nullable StoredLists stored, int batch) {
        long rows = request.rowsPerEpoch();
        if (rows < batch) {
            throw new ConfigException("an epoch of " + Plural.counted(rows, "row") + " does not fill one batch of "
                    + batch + "; lower the batch or request more rows");
        }
        long steps = request.mode() == EpochMode.PADDED ? (rows - 1) / batch + 1 : rows / batch;
        if (request.mode() == EpochMode.PASS && stored != null) {
            long available = request.strata().get(0).rows();
            long most = stored.rowsOfPass(available);
            steps = Math.min(steps, most / batch);
            if (steps == 0) {
                throw new ConfigException("mode pass: an epoch takes equally many rows of each of the " + stored.lanes()
                        + " lanes of the version, so " + most + " of its " + available
                        + " rows, which do not fill one batch of " + batch + "; lower the batch, or export more rows");
            }
        }
        checkSteps(request, steps, batch);
        return (int) steps;
    }

    private static void checkSteps(PlanRequest request, long steps, int batch) {
        if (steps > Integer.MAX_VALUE || !OrderLimits.fits(steps * request.epochs(), batch)) {
            throw new ConfigException(request.rowsPerEpoch() + " rows in each of " + request.epochs()
                    + " epochs are too many steps; raise the batch");
        }
    }

    /** The largest batch. */
    int batch() {
        return Collections.max(batches);
    }

    /** The step before which an epoch ends. */
    long epochEnd(int epoch) {
        if (epochStarts.isEmpty()) {
            return (epoch + 1L) * stepsPerEpoch;
        }
        return epoch + 1 < epochs ? epochStarts.get(epoch + 1) : stageEnds.get(stageEnds.size() - 1);
    }

    private int epochAt(long step) {
        if (epochStarts.isEmpty()) {
            return (int) (step / stepsPerEpoch);
        }
        int found = Collections.binarySearch(epochStarts, step);
        return found >= 0 ? found : -found - 2;
    }

    /** Epochs as pieces, where there are no stages. */
    List<Piece> byEpoch() {
        List<Piece> pieces = new ArrayList<>();
        for (int epoch = 0; epoch < epochs; epoch++) {
            pieces.add(new Piece((long) epoch * stepsPerEpoch, stepsPerEpoch, epoch, -1, epoch, batches.get(0)));
        }
        return pieces;
    }

    /** Stages as pieces, but for empty ones. */
    List<Piece> byStage() {
        List<Piece> pieces = new ArrayList<>();
        long from = 0;
        for (int stage = 0; stage < batches.size(); stage++) {
            long steps = stageEnds.get(stage) - from;
            if (steps > 0) {
                pieces.add(new Piece(from, steps, stage, stage, epochAt(from), batches.get(stage)));
            }
            from = stageEnds.get(stage);
        }
        return pieces;
    }

    /** Stages cut at epoch ends also, so that each piece is in one epoch. */
    List<Piece> byStageAndEpoch() {
        List<Piece> pieces = new ArrayList<>();
        for (Piece whole : byStage()) {
            long end = whole.step() + whole.steps();
            long from = whole.step();
            for (int epoch = whole.epoch(); from < end; epoch++) {
                long to = Math.min(end, epochEnd(epoch));
                long number = (long) whole.stage() * epochs + epoch;
                pieces.add(new Piece(from, to - from, number, whole.stage(), epoch, whole.batch()));
                from = to;
            }
        }
        return pieces;
    }
}
