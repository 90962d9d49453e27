package io.rankfeed.feeder.cache;

import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.run.OrderName;
import io.rankfeed.schema.run.VersionCommit;
import io.rankfeed.schema.store.LocalFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Says what is at a path of this node that a user gave in place of a version. */
final class NotAVersion {
    private NotAVersion() {}

    /** What the path is, and what to write; empty if it is missing, or is a folder of another kind. */
    static Optional<String> describe(Path path) {
        if (isPlan(path)) {
            return Optional.of(
                    path + " is a plan over a version, and not a version; name the version, and the plan with --plan "
                            + path);
        } else if (Files.isRegularFile(path)) {
            return Optional.of(path + " is a file, and not a version"
                    + (path.toString().matches("(?s).*\\.ya?ml")
                            ? "; plan the file of a mixture with rankfeed plan --mixture " + path
                                    + ", or run a job file with rankfeed pipeline " + path
                            : "; " + OpenVersion.WHICH));
        } else if (Stream.of("versions", "runs", VersionCommit.FOLDER)
                .anyMatch(name -> Files.isDirectory(path.resolve(name)))) {
            return Optional.of(path + " is a dataset, and not a version; name a run of it, as in " + path
                    + "@latest or " + path + "@RUN-ID");
        }
        return Optional.empty();
    }

    private static boolean isPlan(Path path) {
        Path folder = path.endsWith(Order.FILE_NAME) ? path.toAbsolutePath().resolveSibling("") : path;
        // A version of an older release has an order as well, and no manifest before its export has ended.
        boolean isOfVersion = Files.exists(folder.resolve(Manifest.FILE_NAME)) || Files.exists(folder.resolve("lanes"));
        return (Files.isRegularFile(folder.resolve(Order.FILE_NAME)) && !isOfVersion)
                || OrderName.isName(path.toString(), LocalFiles.INSTANCE);
    }
}
