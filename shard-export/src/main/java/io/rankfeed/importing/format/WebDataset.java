package io.rankfeed.importing.format;

import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.tar.ForwardBytes;
import io.rankfeed.importing.tar.SampleMember;
import io.rankfeed.importing.tar.TarReader;
import io.rankfeed.importing.tar.TarReader.Member;
import io.rankfeed.schema.cache.FileBytes;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Tar shards of WebDataset. A file is a part, adjacent members of one key are a sample, and each extension is a column, under the rules of
 * the library's {@code tariterators}.
 */
final class WebDataset extends DatasetOfFiles {
    static final String EXTENSION = ".tar";

    WebDataset(DatasetRoot root) {
        super(root, Folders.fileParts(root, EXTENSION));
    }

    @Override
    public String format() {
        return "webdataset";
    }

    @Override
    IndexedPart index(String path, FileBytes file, Set<String> names) {
        refuseCompressed(file);
        TarReader tar = new TarReader(ForwardBytes.of(file));
        TarSamples samples = new TarSamples(path, file, names);
        while (true) {
            long offset = tar.position();
            try {
                Member member = tar.next();
                if (member != null) {
                    SampleMember.of(member).ifPresent(samples::add);
                } else if (tar.hasEnd()) {
                    return samples.end();
                } else {
                    return samples.endDamaged(offset, "the file ends without a block of zeros, so it may be truncated");
                }
            } catch (CorruptDataException e) {
                if (offset == 0) {
                    throw e;
                }
                // The members of the last sample may be incomplete.
                return samples.endDamaged(offset, e.getMessage());
            }
        }
    }

    private static void refuseCompressed(FileBytes file) {
        byte[] begin =
                file.read(0, Math.min(4, file.lengthBytes()), "the first bytes").array();
        for (byte[] magic : new byte[][] {
            {0x1F, (byte) 0x8B}, {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD}, {'B', 'Z', 'h'}, {(byte) 0xFD, '7', 'z'}
        }) {
            if (begin.length >= magic.length
                    && ByteBuffer.wrap(begin, 0, magic.length).equals(ByteBuffer.wrap(magic))) {
                throw Folders.unsupported(file, "is compressed; its members cannot be read by offset, decompress it");
            }
        }
    }
}
