package io.rankfeed.importing.select;

import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.failure.ConfigException;
import java.util.Arrays;
import java.util.Optional;

/** Numbers the samples of an index, part after part, and identifies each by its file and its number there, or by a key. */
public final class SampleAddresses {
    private final DatasetIndex index;
    private final String dataset;
    private final Optional<KeyColumn> key;
    private final int[] firstSample;
    private final long[] rowIds;

    /**
     * Identifies samples by their addresses.
     *
     * @param dataset the name of the imported dataset, which begins the address of a file
     * @throws ConfigException if there are too many samples
     */
    public SampleAddresses(DatasetIndex index, String dataset) {
        this(index, dataset, Optional.empty());
    }

    private SampleAddresses(DatasetIndex index, String dataset, Optional<KeyColumn> key) {
        this.index = index;
        this.dataset = dataset;
        this.key = key;
        firstSample = new int[index.parts().size() + 1];
        long samples = 0;
        for (int p = 0; p < firstSample.length - 1; p++) {
            samples += index.indexed().get(p).rows();
            if (samples >= Integer.MAX_VALUE) {
                throw new ConfigException(
                        "the dataset has 2^31 samples or more; import its folders one by one and mix them");
            }
            firstSample[p + 1] = (int) samples;
        }
        rowIds = new long[samples()];
        for (int p = 0; p < firstSample.length - 1; p++) {
            identify(p);
        }
    }

    /**
     * Identifies samples by the values of a column.
     *
     * @throws ConfigException if the column cannot be a key, or two samples have one value
     */
    public static SampleAddresses byKey(DatasetIndex index, DatasetRoot root, String dataset, String column) {
        SampleAddresses addresses =
                new SampleAddresses(index, dataset, Optional.of(new KeyColumn(index, root, column)));
        addresses.refuseDuplicates(root, column);
        return addresses;
    }

    private void identify(int part) {
        KeyEncoding encoding = new KeyEncoding();
        Optional<KeyColumn.Reader> keys = key.map(column -> column.open(part));
        try {
            for (int sample = firstSample[part]; sample < firstSample[part + 1]; sample++) {
                if (!isDamaged(sample)) {
                    encode(encoding.clear(), part, sample, keys);
                    rowIds[sample] = encoding.rowId();
                }
            }
        } finally {
            keys.ifPresent(KeyColumn.Reader::close);
        }
    }

    /** Two samples of one address cannot be: only keys are compared. */
    private void refuseDuplicates(DatasetRoot root, String column) {
        int[] whole = new int[samples()];
        long[] keys = new long[samples()];
        int count = 0;
        for (int sample = 0; sample < samples(); sample++) {
            if (!isDamaged(sample)) {
                whole[count] = sample;
                keys[count++] = rowIds[sample];
            }
        }
        keys = Arrays.copyOf(keys, count);
        whole = Arrays.copyOf(whole, count);
        KeySort.sort(keys, whole);
        for (int i = 1; i < count; i++) {
            if (keys[i] == keys[i - 1] && Arrays.equals(encoding(whole[i]), encoding(whole[i - 1]))) {
                throw new ConfigException(
                        "column '" + column + "' has one value in two samples, " + shown(root, whole[i - 1]) + " and "
                                + shown(root, whole[i]) + "; choose another --key, or leave it out");
            }
        }
    }

    private String shown(DatasetRoot root, int sample) {
        return "sample " + row(sample) + " of "
                + root.shown(index.parts().get(part(sample)).files().get(0));
    }

    /** Samples, with those that are damaged. */
    public int samples() {
        return firstSample[firstSample.length - 1];
    }

    /** The number of a sample. */
    int sample(int part, long row) {
        return firstSample[part] + (int) row;
    }

    public int part(int sample) {
        int at = Arrays.binarySearch(firstSample, sample);
        // Of parts without samples, the last one begins with the same number as the part that has it.
        while (at >= 0 && at + 1 < firstSample.length && firstSample[at + 1] == sample) {
            at++;
        }
        return at >= 0 ? at : -at - 2;
    }

    public long row(int sample) {
        return (long) sample - firstSample[part(sample)];
    }

    public boolean isDamaged(int sample) {
        return index.indexed().get(part(sample)).damages().isDamaged(row(sample));
    }

    /** The row id of a sample that is whole. */
    public long rowId(int sample) {
        return rowIds[sample];
    }

    /** The encoding of a sample's key or address, which orders samples whose hashes are equal. */
    byte[] encoding(int sample) {
        int part = part(sample);
        KeyEncoding encoding = new KeyEncoding();
        Optional<KeyColumn.Reader> keys = key.map(column -> column.open(part));
        try {
            encode(encoding, part, sample, keys);
        } finally {
            keys.ifPresent(KeyColumn.Reader::close);
        }
        return encoding.toBytes();
    }

    private void encode(KeyEncoding encoding, int part, int sample, Optional<KeyColumn.Reader> keys) {
        long row = (long) sample - firstSample[part];
        if (keys.isPresent()) {
            keys.get().add(encoding, row);
            return;
        }
        boolean isAlone = index.indexed().get(part).hasFilePerRow();
        String file = index.parts().get(part).files().get(isAlone ? (int) row : 0);
        encoding.address(dataset + "/" + file, isAlone ? 0 : row);
    }
}
