package io.rankfeed.importing.select;

import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.failure.ConfigException;
import java.util.Arrays;

/** Numbers the samples of an index, part after part, and identifies each by its file and its number there. Not thread-safe. */
public final class SampleAddresses {
    private final DatasetIndex index;
    private final String dataset;
    private final int[] firstSample;
    private final KeyEncoding encoding = new KeyEncoding();

    /**
     * @param dataset the name of the imported dataset, which begins the address of a file
     * @throws ConfigException if there are too many samples
     */
    public SampleAddresses(DatasetIndex index, String dataset) {
        this.index = index;
        this.dataset = dataset;
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
    }

    /** Samples, with those that are damaged. */
    public int samples() {
        return firstSample[firstSample.length - 1];
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

    /** The row id of a sample: that of a row of a source without a key. */
    public long rowId(int sample) {
        return encoded(sample).rowId();
    }

    /** The encoding of a sample's address, which orders samples whose hashes are equal. */
    byte[] encoding(int sample) {
        return encoded(sample).toBytes();
    }

    private KeyEncoding encoded(int sample) {
        int part = part(sample);
        long row = row(sample);
        boolean isAlone = index.indexed().get(part).hasFilePerRow();
        String file = index.parts().get(part).files().get(isAlone ? (int) row : 0);
        return encoding.clear().address(dataset + "/" + file, isAlone ? 0 : row);
    }
}
