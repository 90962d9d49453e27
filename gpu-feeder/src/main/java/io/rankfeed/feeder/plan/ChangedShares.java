package io.rankfeed.feeder.plan;

import io.rankfeed.report.Report;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.selection.SelectedTrain;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Checks the keys of shares that a user changes, before they are bound together with those of the version's own plan: messages name the
 * keys of the command and its file.
 *
 * @param written the keys that the user writes as a whole; a key within another one by its path
 */
record ChangedShares(Set<String> written, SelectedTrain stored) {
    /** Keys that give strata shares; floors and caps only bound them. */
    private static final List<String> GIVING = List.of("weights", "balance", "proportional", "margins", "stages");

    /**
     * @param own settings of the feed in the version's own plan
     * @param changed those of the plan
     * @throws ConfigException if the user's shares cannot be used with these
     */
    void check(ConfigDocument own, ConfigDocument changed) {
        checkStrata();
        checkWithStages(own, changed);
        List<String> whole = keys(written.stream());
        if (!whole.isEmpty() && GIVING.stream().allMatch(changed::isEmpty)) {
            boolean isBounded = whole.contains("floors") || whole.contains("caps");
            throw new ConfigException(String.join(", ", whole) + ": no stratum of feed '" + stored.name()
                    + "' has a share, because these keys replace all shares of the version's own plan; add weights,"
                    + " balance, margins or stages"
                    + (isBounded ? "" : ", or proportional: " + stored.columns() + " for the shares of stored rows"));
        }
    }

    /** @throws ConfigException if rare strata are stored as one, for which the version's own plan has no share */
    static void requireNoneJoined(List<String> joined, SelectedTrain stored) {
        if (!joined.isEmpty()) {
            List<String> weights = stored.strata().stream()
                    .map(stratum -> String.join("/", stratum.values()) + ": 1")
                    .toList();
            throw new ConfigException("feed '" + stored.name() + "': the version stores the rare strata ["
                    + Report.listed(joined) + "] as one, because its own plan has on-rare: rest; give the stored strata"
                    + " shares, as in --set weights={" + Report.listed(weights) + "}, or proportional: "
                    + stored.columns());
        }
    }

    /** A single stratum has all rows. */
    private void checkStrata() {
        List<String> keys = keys(written.stream().map(ChangedShares::head));
        boolean isSingle = stored.columns().isEmpty() && stored.strata().size() == 1;
        if (isSingle && !keys.isEmpty() && stored.list().ordered().isEmpty()) {
            throw new ConfigException(String.join(", ", keys) + ": the version stores feed '" + stored.name()
                    + "' as one stratum, which has all rows; leave "
                    + (keys.size() == 1 ? "this key" : "these keys") + " out, or export a version with strata");
        }
    }

    /** A part of a key is a change of the version's own plan. */
    private void checkWithStages(ConfigDocument own, ConfigDocument changed) {
        for (String key : written.stream().sorted().toList()) {
            String head = head(key);
            boolean isPart = !key.equals(head) && !written.contains(head);
            if (isPart
                    && Set.of("weights", "margins").contains(head)
                    && own.isEmpty(head)
                    && !changed.isEmpty("stages")
                    && !written.contains("stages")) {
                throw new ConfigException(key + ": the version's own plan has stages, which have " + head
                        + " of their own; write stages[0]." + key + " for the first stage, or " + head
                        + " as a whole, which replace the stages");
            }
        }
    }

    private static List<String> keys(Stream<String> keys) {
        return keys.filter(PlanSettings.SHARES::contains).distinct().sorted().toList();
    }

    /** {@code stages} of {@code stages[0].weights}. */
    private static String head(String key) {
        return key.split("[.\\[]", 2)[0];
    }
}
