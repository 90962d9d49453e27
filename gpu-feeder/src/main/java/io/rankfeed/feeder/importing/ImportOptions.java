package io.rankfeed.feeder.importing;

import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.select.SampleAddresses;
import io.rankfeed.importing.select.SampleLists;
import io.rankfeed.importing.select.Strata;
import io.rankfeed.importing.write.ImportedVersion;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.OrderLimits;
import io.rankfeed.schema.selection.SelectedStratum;
import java.util.List;
import java.util.Optional;

/**
 * The options of an import that say which rows a version has, and their order.
 *
 * @param isTable whether rows keep the order of the files
 */
record ImportOptions(
        String dataset, List<String> strata, Optional<String> key, Optional<Integer> lanes, boolean isTable) {
    private static final int DEFAULT_LANES = 64;

    /** So many ranks can be fed, even if the smallest stratum has no sample for each. */
    private static final int MIN_DEFAULT_LANES = 8;

    /** @throws ConfigException if an option does not match the samples */
    ImportedVersion version(DatasetIndex index, DatasetRoot root) {
        SampleAddresses addresses = key.map(column -> SampleAddresses.byKey(index, root, dataset, column))
                .orElseGet(() -> new SampleAddresses(index, dataset));
        List<Strata> by = strata.stream()
                .map(words -> Strata.of(words, index, root, addresses))
                .toList();
        if (by.stream().map(Strata::column).distinct().count() < by.size()) {
            throw new ConfigException(
                    "--strata " + String.join(" --strata ", strata) + ": two have one name; write each once");
        }
        SampleLists lists = SampleLists.of(addresses, by, isTable);
        int divided = lanes.orElseGet(() -> defaultLanes(lists));
        if (divided < 1 || divided > OrderLimits.MAX_LANES) {
            throw new ConfigException("--lanes " + divided + ": must be 1 to " + OrderLimits.MAX_LANES);
        } else if ((long) divided * lists.strata().size() > OrderLimits.MAX_COUNTERS) {
            throw new ConfigException(
                    "--lanes " + divided + " times " + lists.strata().size() + " strata exceed "
                            + OrderLimits.MAX_COUNTERS + "; choose fewer lanes, or strata with fewer values");
        }
        return new ImportedVersion(
                dataset, index, addresses, lists, lists.selected(ImportedVersion.FEED, divided, index, addresses), key);
    }

    /** A stratum with fewer samples than lanes is left out of the default order. */
    private static int defaultLanes(SampleLists lists) {
        long samples = lists.strata().stream().mapToLong(SelectedStratum::rows).sum();
        long smallest =
                lists.strata().stream().mapToLong(SelectedStratum::rows).min().orElse(1);
        long most = Math.min(Math.max(smallest, MIN_DEFAULT_LANES), Math.min(samples, DEFAULT_LANES));
        return Integer.highestOneBit((int) most);
    }
}
