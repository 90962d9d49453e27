package io.rankfeed.export.petastorm;

import io.rankfeed.schema.failure.Printable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The one array in what {@code np.savez_compressed} writes. */
public final class NpyZip {
    private static final String ENTRY = "arr.npy";

    /** The maximum size of an unzipped value. A row of a training set is not larger, a zip bomb is. */
    private static final int MAX_BYTES = 512 << 20;

    private NpyZip() {}

    /**
     * @param expectedBytes of the elements where the field's shape is fixed, else -1
     * @throws Unfit if there is another entry, or more bytes come out than the field has
     */
    public static byte[] unzipped(byte[] zip, long expectedBytes) throws Unfit {
        long max = expectedBytes < 0 ? MAX_BYTES : Math.min(MAX_BYTES, expectedBytes + (1 << 16));
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            ZipEntry entry = in.getNextEntry();
            if (entry == null || !entry.getName().equals(ENTRY)) {
                throw new Unfit("is not a zip of one " + ENTRY + " as np.savez_compressed writes it");
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream(Math.max(zip.length, 1 << 10));
            byte[] chunk = new byte[1 << 14];
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                if (out.size() + (long) read > max) {
                    throw new Unfit("unzips to more than " + max + " bytes");
                }
                out.write(chunk, 0, read);
            }
            if (in.getNextEntry() != null) {
                throw new Unfit("is a zip of more than one array");
            }
            return out.toByteArray();
        } catch (IOException | IllegalArgumentException e) {
            throw new Unfit("is a damaged zip: " + Printable.of(String.valueOf(e.getMessage())));
        }
    }
}
