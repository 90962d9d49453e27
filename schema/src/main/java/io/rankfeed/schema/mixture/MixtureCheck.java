package io.rankfeed.schema.mixture;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.PlanCheck;
import io.rankfeed.schema.order.StoredFeeds;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Compares a mixture with the versions of its members (docs/format/plan.md, sections 11.5 and 10). */
public final class MixtureCheck {
    /**
     * What a version states of itself.
     *
     * @param address its folder or address
     * @param stored its rows
     */
    public record Stated(String address, Manifest.Version manifest, StoredFeeds stored) {}

    private MixtureCheck() {}

    /**
     * Compares lanes, strata, rows and columns.
     *
     * @param versions finds the version that a member draws from
     * @param file of the mixture, for messages
     * @return the columns that the versions have together
     * @throws CorruptDataException if the mixture is not one of these versions
     */
    public static MixtureColumns require(Mixture mixture, Function<Member, Stated> versions, String file) {
        SortedMap<String, Manifest.Version> manifests = new TreeMap<>();
        for (Member member : mixture.feed().members()) {
            Stated version = versions.apply(member);
            requireMember(member, version, file);
            manifests.put(member.name(), version.manifest());
        }
        return columns(mixture, manifests, file);
    }

    /**
     * Compares lanes and strata of a member alone.
     *
     * @param version that the member draws from
     * @throws CorruptDataException if it is not this version
     */
    public static void requireMember(Member member, Stated version, String file) {
        Member.Source source = member.source().orElseThrow();
        Manifest.Version manifest = version.manifest();
        if (!manifest.dataset().equals(source.dataset()) || !manifest.id().equals(source.version())) {
            throw new CorruptDataException(
                    version.address(),
                    "is version " + manifest.id() + " of dataset '" + manifest.dataset()
                            + "', and not the one that its folder names; copy the version again");
        }
        String where = file + ", member '" + member.name() + "'";
        PlanCheck.requireMember(member, source, version.stored(), manifest, where);
    }

    private static MixtureColumns columns(Mixture mixture, SortedMap<String, Manifest.Version> manifests, String file) {
        Map<String, List<String>> fill = new TreeMap<>();
        mixture.fill().forEach((column, value) -> fill.put(column, value.values()));
        MixtureColumns columns;
        try {
            columns = MixtureColumns.of(manifests, fill);
        } catch (ConfigException e) {
            throw new CorruptDataException(file, e.getMessage() + "; plan the mixture again", e);
        }
        if (!columns.schema().equals(mixture.columns())) {
            throw new CorruptDataException(
                    file, "has other columns than the versions of its members; plan the mixture again");
        }
        return columns;
    }
}
