package io.rankfeed.feeder.cli;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Manifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The option of commands that read the files of imported versions at another path than that of the import. */
final class ExternalOption {
    @Option(
            names = "--external",
            paramLabel = "NAME=PATH",
            description =
                    "The folder of the files that an imported version of dataset NAME refers to, where it is at another"
                            + " path on this machine; may be repeated. Default: the folder of the import, or the one that"
                            + " verify accepted for this copy.")
    private Map<String, Path> folders = new HashMap<>();

    /**
     * Returns the folders by dataset.
     *
     * @param versions that are read
     * @param read what is done with them, as in {@code fed}
     * @throws ConfigException if none of them is over a dataset that is named, or a folder is missing
     */
    Map<String, Path> of(Stream<Manifest.Version> versions, String read) {
        SortedSet<String> known = versions.filter(version -> version.external().isPresent())
                .map(Manifest.Version::dataset)
                .collect(Collectors.toCollection(TreeSet::new));
        folders.forEach((name, folder) -> {
            if (!known.contains(name)) {
                throw new ConfigException("--external " + name + ": no imported version of this dataset is " + read
                        + "; " + (known.isEmpty() ? "leave the option out" : "there are " + String.join(", ", known)));
            } else if (!Files.isDirectory(folder)) {
                throw new ConfigException(
                        folder + ": no such folder; give the folder of the files of the dataset with --external " + name
                                + "=PATH");
            }
        });
        return Map.copyOf(folders);
    }
}
