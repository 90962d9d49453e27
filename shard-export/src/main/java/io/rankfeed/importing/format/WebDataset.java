package io.rankfeed.importing.format;

import io.rankfeed.importing.format.TarReader.Member;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.schema.cache.FileBytes;
import io.rankfeed.schema.failure.CorruptDataException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tar shards of WebDataset. A file is a part, adjacent members of one key are a sample, and each extension is a column, under the rules of
 * the library's {@code tariterators}.
 */
final class WebDataset extends DatasetOfFiles {
    static final String EXTENSION = ".tar";

    /** Key and extension, as the library's own expression divides them. */
    private static final Pattern NAME = Pattern.compile("^((?:.*/|)[^.]+)[.]([^/]*)$", Pattern.UNIX_LINES);

    private static final Pattern META = Pattern.compile("^__[^/]*__($|/)", Pattern.UNIX_LINES);

    WebDataset(DatasetRoot root) {
        super(root, Folders.fileParts(root, EXTENSION));
    }

    @Override
    public String format() {
        return "webdataset";
    }

    @Override
    IndexedPart index(String path, FileBytes file) {
        TarReader tar = new TarReader(file);
        TarSamples samples = new TarSamples(path, file);
        while (true) {
            long offset = tar.position();
            try {
                Member member = tar.next();
                if (member != null) {
                    add(member, samples);
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

    private static void add(Member member, TarSamples samples) {
        Matcher name = NAME.matcher(member.name());
        if (member.isRegular() && !META.matcher(member.name()).find() && name.find()) {
            samples.add(name.group(1), name.group(2).toLowerCase(Locale.ROOT), member);
        }
    }
}
