package io.rankfeed.feeder.plan;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.Stage;
import io.rankfeed.job.StrataColumn;
import io.rankfeed.job.plan.CountedStratum;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.failure.ConfigException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The settings of a feed of a plan over a version: those of the version's own plan, and over them those that the user changes. */
final class PlanSettings {
    /** Keys by which an export chooses rows and puts them into lists. */
    private static final Set<String> CHOOSING =
            Set.of("kind", "where", "rows-of", "order-by", "list", "strata", "nested", "pool");

    /** Keys of shares: who changes one of them writes all of them. */
    private static final Set<String> SHARES =
            Set.of("weights", "balance", "proportional", "margins", "floors", "caps", "stages");

    private PlanSettings() {}

    /**
     * @param own settings of the feed in the version's own plan
     * @param file keys of {@code sample.<feed>}, in a file
     * @param assignments the values of {@code --set}
     * @param strata of the feed as the version stores them
     * @throws ConfigException if a key chooses rows, or a value is invalid
     */
    static FeedSection of(
            ConfigDocument own, Optional<ConfigDocument> file, List<String> assignments, List<CountedStratum> strata) {
        Set<String> replaced = new HashSet<>(file.map(ConfigDocument::keys).orElse(Set.of()));
        Set<String> touched = new HashSet<>(replaced);
        for (String assignment : assignments) {
            String path = assignment
                    .substring(0, Math.max(0, assignment.indexOf('=')))
                    .strip();
            String key = path.split("[.\\[]", 2)[0];
            touched.add(key);
            if (key.equals(path)) {
                replaced.add(key);
            }
        }
        touched.stream().filter(CHOOSING::contains).sorted().findFirst().ifPresent(key -> {
            throw new ConfigException(key + " chooses rows or their order, which a version has already; change " + key
                    + " in the job file and export again");
        });
        ConfigDocument document = own.without(Set.of("where", "rows-of", "order-by", "list", "pool"));
        if (replaced.stream().anyMatch(SHARES::contains)) {
            document = document.without(SHARES);
        }
        if (file.isPresent()) {
            document = document.with(file.get());
        }
        for (String assignment : assignments) {
            document = document.with("--set", assignment);
        }
        FeedSection section = document.bind(FeedSection.class);
        List<String> unused = unused(section, strata);
        boolean isBounded = section.floors().isPresent()
                || section.caps().isPresent()
                || section.stages().stream()
                        .anyMatch(stage ->
                                stage.floors().isPresent() || stage.caps().isPresent());
        if (!unused.isEmpty() && !isBounded) {
            Stream<String> proportional =
                    Stream.concat(section.proportional().orElse(List.of()).stream(), unused.stream());
            String columns = proportional.map(PlanSettings::quoted).collect(Collectors.joining(", ", "[", "]"));
            section = document.with("--set", "proportional=" + columns).bind(FeedSection.class);
        }
        return section;
    }

    private static String quoted(String name) {
        return "'" + name.replace("'", "''") + "'";
    }

    /** The strata columns that nothing weighs. */
    private static List<String> unused(FeedSection section, List<CountedStratum> strata) {
        List<StrataColumn> columns = section.strata();
        Set<String> weighed = new HashSet<>(section.weights().keySet());
        Set<String> named = new HashSet<>(section.balance());
        section.proportional().ifPresent(named::addAll);
        section.margins().ifPresent(margins -> named.addAll(margins.keySet()));
        for (Stage stage : section.stages()) {
            weighed.addAll(stage.weights().keySet());
            stage.margins().ifPresent(margins -> named.addAll(margins.keySet()));
        }
        boolean hasWhole =
                columns.size() > 1 && strata.stream().map(CountedStratum::name).anyMatch(weighed::contains);
        return IntStream.range(0, hasWhole ? 0 : columns.size())
                .filter(c -> !named.contains(columns.get(c).displayName()))
                .filter(c ->
                        strata.stream().map(stratum -> stratum.parts().get(c)).noneMatch(weighed::contains))
                .mapToObj(c -> columns.get(c).displayName())
                .toList();
    }
}
