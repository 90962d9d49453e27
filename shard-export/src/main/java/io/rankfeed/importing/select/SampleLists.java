package io.rankfeed.importing.select;

import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.lane.ReferenceRows;
import io.rankfeed.sampling.order.Mix;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.selection.ListOrder;
import io.rankfeed.schema.selection.RowDigests;
import io.rankfeed.schema.selection.SelectedStratum;
import io.rankfeed.schema.selection.SelectedTrain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The lists of a train feed over all whole samples of a dataset: in each stratum the order of an export of whole pools, by the hash of the
 * row id with seed 0, or the order of the files (docs/format/plan.md, section 10.4).
 */
public final class SampleLists {
    private static final long SEED = 0;
    /** The purpose of the hash, of those in docs/format/plan.md. */
    private static final long PURPOSE = 7;

    private static final int MAX_STRATA = 1 << 16;

    private final List<String> columns;
    private final ListOrder order;
    private final List<SelectedStratum> strata = new ArrayList<>();
    private final List<int[]> lists = new ArrayList<>();

    private SampleLists(List<String> columns, ListOrder.By order) {
        this.columns = columns;
        this.order = new ListOrder(order, List.of());
    }

    /** @throws ConfigException if something gives more strata than a version can have */
    static void requireCount(int strata, String where) {
        if (strata > MAX_STRATA) {
            throw new ConfigException(
                    where + " gives more than " + MAX_STRATA + " strata; choose a column with fewer values");
        }
    }

    /**
     * @param by the columns of strata; without any, all samples are one stratum
     * @param isTable whether the lists keep the order of parts and samples
     * @throws ConfigException if there are too many strata, or there is no sample
     */
    public static SampleLists of(SampleAddresses addresses, List<Strata> by, boolean isTable) {
        Map<String, Stratum> found = new TreeMap<>(CanonicalJson::compareCodePoints);
        for (int sample = 0; sample < addresses.samples(); sample++) {
            if (!addresses.isDamaged(sample)) {
                int part = addresses.part(sample);
                long row = addresses.row(sample);
                List<String> values =
                        by.stream().map(column -> column.value(part, row)).toList();
                String name = by.isEmpty() ? "all" : String.join("/", values);
                Stratum stratum = found.computeIfAbsent(name, first -> new Stratum(values));
                requireCount(found.size(), "--strata");
                if (!stratum.values.equals(values)) {
                    throw new ConfigException("the strata " + stratum.values + " and " + values + " have one name, '"
                            + name + "'; choose columns without / in their values");
                }
                stratum.add(sample);
            }
        }
        if (found.isEmpty()) {
            throw new ConfigException("the dataset has no samples; give a folder that has some");
        }
        SampleLists lists = new SampleLists(
                by.stream().map(Strata::column).toList(), isTable ? new ListOrder.Table() : new ListOrder.Hash(SEED));
        found.forEach((name, stratum) -> {
            int[] list = Arrays.copyOf(stratum.samples, stratum.size);
            if (!isTable) {
                sort(list, addresses);
            }
            lists.lists.add(list);
            lists.strata.add(new SelectedStratum(name, stratum.values, list.length, list.length));
        });
        return lists;
    }

    private static final class Stratum {
        private final List<String> values;
        private int[] samples = new int[16];
        private int size;

        Stratum(List<String> values) {
            this.values = values;
        }

        void add(int sample) {
            if (size == samples.length) {
                samples = Arrays.copyOf(samples, (int) Math.min(Integer.MAX_VALUE - 8, 2L * size));
            }
            samples[size++] = sample;
        }
    }

    private static void sort(int[] list, SampleAddresses addresses) {
        long[] keys = new long[list.length];
        for (int i = 0; i < list.length; i++) {
            keys[i] = Mix.key(SEED, PURPOSE, addresses.rowId(list[i]));
        }
        KeySort.sort(keys, list);
        int from = 0;
        while (from < list.length) {
            int to = from + 1;
            while (to < list.length && keys[to] == keys[from]) {
                to++;
            }
            if (to > from + 1) {
                sortEqual(list, from, to, addresses);
            }
            from = to;
        }
    }

    private static void sortEqual(int[] list, int from, int to, SampleAddresses addresses) {
        List<Integer> equal = new ArrayList<>();
        for (int i = from; i < to; i++) {
            equal.add(list[i]);
        }
        equal.sort((a, b) -> Arrays.compareUnsigned(addresses.encoding(a), addresses.encoding(b)));
        for (int i = from; i < to; i++) {
            list[i] = equal.get(i - from);
        }
    }

    /** Strata sorted by name; a stratum is known by its number in this list. */
    public List<SelectedStratum> strata() {
        return List.copyOf(strata);
    }

    /** The sample at an index of a stratum's list. */
    public int sample(int stratum, long index) {
        return lists.get(stratum)[Math.toIntExact(index)];
    }

    /** The feed as {@code selection.json} has it. */
    public SelectedTrain selected(String feed, int lanes, DatasetIndex index, SampleAddresses addresses) {
        ReferenceRows rows = new ReferenceRows(index);
        RowDigests digests = new RowDigests();
        for (int[] list : lists) {
            for (int sample : list) {
                int part = addresses.part(sample);
                long row = addresses.row(sample);
                digests.add(addresses.rowId(sample), rows.file(part, row), rows.rowInFile(part, row));
            }
        }
        return new SelectedTrain(feed, lanes, columns, order, strata, digests.end());
    }
}
