package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The members that the manifest of every artifact has.
 *
 * @param dataset {@code [a-z0-9][a-z0-9_-]{0,63}}
 * @param job the part of the resolved job that defines this artifact; not to be changed
 * @param inputs what it was made from
 * @param rows rows of the prepared table; of any other artifact the sum over its feeds
 * @param files every file of the artifact but {@code manifest.json}, sorted by path
 */
public record Contents(String dataset, ObjectNode job, List<Input> inputs, long rows, List<ArtifactFile> files) {
    private static final Pattern DATASET = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    /** Sorts the files. @throws IllegalArgumentException if the parts contradict each other */
    public Contents {
        inputs = List.copyOf(inputs);
        files = files.stream().sorted(Comparator.comparing(ArtifactFile::path)).toList();
        if (!DATASET.matcher(dataset).matches()) {
            throw new IllegalArgumentException("dataset '" + dataset + "' does not match " + DATASET.pattern());
        }
        if (rows < 0) {
            throw new IllegalArgumentException("rows is " + rows);
        }
        if (files.stream().mapToDouble(ArtifactFile::bytes).sum() >= 0x1p62) {
            throw new IllegalArgumentException("the files together have 2^62 bytes or more");
        }
        refuseDuplicates(files);
    }

    Contents with(ArtifactFile file) {
        List<ArtifactFile> more = new ArrayList<>(files);
        more.add(file);
        return new Contents(dataset, job, inputs, rows, more);
    }

    /** Refuses two names that differ only in case, because some file systems take them for one file. */
    private static void refuseDuplicates(List<ArtifactFile> files) {
        Map<String, ArtifactPath> seen = new HashMap<>();
        for (ArtifactFile file : files) {
            ArtifactPath other = seen.put(file.path().value().toLowerCase(Locale.ROOT), file.path());
            if (other != null) {
                throw new IllegalArgumentException("'" + other + "' and '" + file.path() + "' differ only in case");
            }
        }
    }
}
