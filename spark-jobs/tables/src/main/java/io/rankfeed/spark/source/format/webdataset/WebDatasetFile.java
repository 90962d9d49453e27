package io.rankfeed.spark.source.format.webdataset;

import io.rankfeed.importing.tar.SampleMember;
import io.rankfeed.importing.tar.TarReader;
import io.rankfeed.importing.tar.TarReader.Member;
import io.rankfeed.spark.source.format.StoredStream;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** The samples of a tar, one after the other. */
final class WebDatasetFile implements Closeable {
    private final StoredStream bytes;
    private final TarReader tar;
    private final Set<String> extensions = new HashSet<>();
    private @Nullable String key;
    /** The last member that was read of the tar. Its content is read before the member after it. */
    private @Nullable SampleMember last;

    private boolean isTaken = true;

    WebDatasetFile(String file, Configuration conf) {
        bytes = StoredStream.open(file, conf);
        tar = new TarReader(bytes);
    }

    StoredStream bytes() {
        return bytes;
    }

    /** Moves to the next sample and returns its key; null after the last one. */
    @Nullable
    String nextSample() {
        boolean isInSample = true;
        while (isInSample) {
            isInSample = nextMember() != null;
        }
        extensions.clear();
        key = last == null ? null : last.key();
        return key;
    }

    /** Returns the next member of the sample; null after its last one. */
    @Nullable
    SampleMember nextMember() {
        if (isTaken) {
            last = read();
            isTaken = false;
        }
        SampleMember member = last;
        if (member == null || !member.key().equals(key)) {
            return null;
        } else if (!extensions.add(member.extension())) {
            throw bytes.damage(
                    member.member().offset(), "member '" + member.member().name() + "' is a duplicate in its sample");
        }
        isTaken = true;
        return member;
    }

    private @Nullable SampleMember read() {
        for (Member member = tar.next(); member != null; member = tar.next()) {
            Optional<SampleMember> named = SampleMember.of(member);
            if (named.isPresent()) {
                return named.get();
            }
        }
        if (!tar.hasEnd()) {
            throw bytes.damage(tar.position(), "the file ends without a block of zeros, so it may be truncated");
        }
        bytes.end();
        return null;
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
