package io.rankfeed.feeder.metrics;

import io.rankfeed.feeder.serve.admission.RankState;
import java.util.List;
import java.util.Map;

/**
 * A feeder at one moment.
 *
 * @param isReady whether trainers can attach
 * @param version id of the version
 * @param run name of the run
 * @param restarts how often the feeder of this run was started before
 * @param cacheBytes of the files that are mapped; 0 before that
 * @param sync the copy and verification of the version, before the feeder is ready
 * @param rejections rows that were fed as zeros or empty, by "column: reason"
 * @param decoderMessages lines that image decoders printed, by reason
 */
public record NodeState(
        boolean isReady,
        String version,
        String plan,
        String run,
        long restarts,
        long cacheBytes,
        Sync sync,
        List<RankState> ranks,
        Map<String, Long> rejections,
        Map<String, Long> decoderMessages) {
    public NodeState {
        ranks = List.copyOf(ranks);
        rejections = Map.copyOf(rejections);
        decoderMessages = Map.copyOf(decoderMessages);
    }

    /**
     * @param plannedBytes to read: those of a copied file twice; 0 where nothing has to be copied, or where that is unknown yet
     * @param doneBytes of these
     */
    public record Sync(long plannedBytes, long doneBytes) {}
}
