package io.rankfeed.feeder.sync;

import io.rankfeed.feeder.cache.LaneFileName;
import io.rankfeed.feeder.ranks.RankList;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A copy of a version on a node, which has the lanes that its feeders needed. Which these are is in the log that the syncs wrote into its
 * folder: a lane that was copied must be there.
 */
public final class NodeCopy {
    private final Path folder;
    private final VerifiedLog log;
    private final Set<String> feeds;

    private NodeCopy(Path folder, VerifiedLog log, Manifest.Version manifest) {
        this.folder = folder;
        this.log = log;
        this.feeds = manifest.files().stream()
                .filter(file -> !isLacking(file))
                .flatMap(file -> LaneFileName.parse(file.path()).stream())
                .map(LaneFileName::feed)
                .collect(Collectors.toSet());
    }

    /** Empty where no sync has recorded a file: such a folder has the whole version. */
    public static Optional<NodeCopy> at(Path folder, Manifest.Version manifest) {
        VerifiedLog log = VerifiedLog.in(folder);
        return log.isEmpty() ? Optional.empty() : Optional.of(new NodeCopy(folder, log, manifest));
    }

    /**
     * Returns those files that were never copied.
     *
     * @param isOfRanks whether the files are those of ranks that the copy serves: then only whole feeds can be lacking
     */
    public List<ArtifactFile> lacking(List<ArtifactFile> files, boolean isOfRanks) {
        return files.stream()
                .filter(this::isLacking)
                .filter(file -> !isOfRanks
                        || !feeds.contains(
                                LaneFileName.parse(file.path()).orElseThrow().feed()))
                .toList();
    }

    private boolean isLacking(ArtifactFile file) {
        return LaneFileName.parse(file.path()).isPresent()
                && !log.names(file)
                && Files.notExists(file.path().in(folder), LinkOption.NOFOLLOW_LINKS);
    }

    /** Lists the lanes of files: {@code lanes 1-3 of feed 'train'}. */
    public static String words(List<ArtifactFile> files) {
        SortedMap<String, SortedSet<Integer>> lanes = new TreeMap<>();
        files.stream().flatMap(file -> LaneFileName.parse(file.path()).stream()).forEach(name -> lanes.computeIfAbsent(
                        name.feed(), feed -> new TreeSet<>())
                .add(name.lane()));
        List<String> words = new ArrayList<>();
        lanes.forEach((feed, numbers) -> {
            SortedSet<Integer> own = numbers.tailSet(LaneLayout.SHARED + 1);
            words.add((own.isEmpty() ? "shared rows" : "lanes " + RankList.text(own)) + " of feed '" + feed + "'");
        });
        return String.join(" and ", words);
    }
}
