package io.rankfeed.feeder.plan;

import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Manifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The option of commands that read the files of imported versions at another path than that of the import. */
public final class ExternalOption {
    @Option(
            names = "--external",
            paramLabel = "NAME=PATH",
            description =
                    "The folder of the files that an imported version of dataset NAME refers to, where it is at another"
                            + " path on this machine; once per dataset. Default: the folder of the import, or the one"
                            + " that verify accepted for this copy.")
    private List<String> written = new ArrayList<>();

    /**
     * Returns the order with the files of its imported versions in the folders that the user named.
     *
     * @throws ConfigException as {@link #of}
     */
    public OpenOrder applied(OpenOrder opened) {
        return opened.withFilesAt(of(opened.versions().stream().map(OpenVersion::manifest)));
    }

    /**
     * Returns the folders by dataset.
     *
     * @param versions that are read
     * @throws ConfigException if a value is not NAME=PATH, a dataset is named twice, no version is over it, or a folder is missing
     */
    public Map<String, Path> of(Stream<Manifest.Version> versions) {
        SortedSet<String> known = versions.filter(version -> version.external().isPresent())
                .map(Manifest.Version::dataset)
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Path> folders = new HashMap<>();
        for (String value : written) {
            int separator = value.indexOf('=');
            if (separator < 1 || separator == value.length() - 1) {
                throw new ConfigException("--external " + value + ": not NAME=PATH, as in --external pets=/mnt/pets");
            }
            String name = value.substring(0, separator);
            Path folder = Path.of(value.substring(separator + 1));
            if (!known.contains(name)) {
                throw new ConfigException("--external " + name + ": no imported version of this dataset is read; "
                        + (known.isEmpty() ? "leave the option out" : "there are " + String.join(", ", known)));
            } else if (!Files.isDirectory(folder)) {
                throw new ConfigException(
                        folder + ": no such folder; give the folder of the files of the dataset with --external " + name
                                + "=PATH");
            } else if (folders.putIfAbsent(name, folder) != null) {
                throw new ConfigException(
                        "--external " + name + ": given twice; the files of a dataset are in one folder");
            }
        }
        return folders;
    }
}
